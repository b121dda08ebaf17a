type Section = Readonly<{ heading: string; clauses: readonly string[] }>;

export const AgreementSections = ({ sections }: Readonly<{ sections: readonly Section[] }>) =>
  sections.map(({ heading, clauses }, at) => (
    <section key={at}>
      <h4>
        {at + 1}. {heading}
      </h4>
      {clauses.map((clause, index) => (
        <p key={index}>
          <span className="num quiet">
            {at + 1}.{index + 1}
          </span>{" "}
          {clause}
        </p>
      ))}
    </section>
  ));
