import { type ClauseContent, ClauseText } from "./clause-content.tsx";

type Section = Readonly<{ heading: string; clauses: readonly ClauseContent[] }>;

type Props = Readonly<{ sections: readonly Section[]; heading: "h3" | "h4" }>;

export const AgreementSections = ({ sections, heading: Heading }: Props) =>
  sections.map(({ heading, clauses }, at) => (
    <section key={at}>
      <Heading>
        {at + 1}. {heading}
      </Heading>
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
