import { type ClauseContent, ClauseText } from "./clause-content.tsx";

type Section = Readonly<{ heading: string; clauses: readonly ClauseContent[] }>;

export const AgreementSections = ({ sections }: Readonly<{ sections: readonly Section[] }>) =>
  sections.map(({ heading, clauses }, at) => (
    <section key={at}>
      <h4>
        {at + 1}. {heading}
      </h4>
      {clauses.map((content, index) => (
        <ClauseText
          key={index}
          content={content}
          number={
            <span className="num quiet">
              {at + 1}.{index + 1}
            </span>
          }
        />
      ))}
    </section>
  ));
