import { useQuery } from "@tanstack/react-query";
import type { Mode, WorkflowIssue, WorkflowSpec } from "../../api/wire.ts";
import { Said } from "../parts/Said.tsx";
import { t } from "../words.ts";
import { workflowQueries } from "../workflows/queries.ts";
import wide from "../workflows/Workflows.module.css";
import css from "./Editor.module.css";
import { Field } from "./Field.tsx";
import { issuesElsewhere, issuesIn, placesOf, type SectionId, sectionIds, sections } from "./sections.ts";

const anchor = (id: SectionId) => `section-${id}`;

/** Rows that take the whole width of a section; the others stand beside each other. */
const isWide = (row: (typeof sections)[SectionId][number]) =>
  row.kind === "part" && !["documents", "countries", "embedding"].includes(row.part);

/** What a version asks for and what it takes to pass, section by section; to be changed where it may be. */
export function Spec({
  spec,
  mode,
  issues,
  onChange,
}: {
  spec: WorkflowSpec;
  mode: Mode;
  issues: readonly WorkflowIssue[];
  onChange: ((to: WorkflowSpec) => void) | null;
}) {
  const { data: language } = useQuery(workflowQueries.language);
  const { data: rates } = useQuery(workflowQueries.rates);
  return (
    <div className={css.editor}>
      <nav className={css.contents} aria-label={t("editor.sections")}>
        {sectionIds.map((id) => {
          const wrong = issuesIn(id, issues).length;
          return (
            <a key={id} href={`#${anchor(id)}`} className={css.entry}>
              {t(`editor.section.${id}`)}
              {wrong > 0 && <span className={css.wrong}>{t("editor.problems", { n: wrong })}</span>}
            </a>
          );
        })}
      </nav>
      <div className={`${wide.spec} ${css.sections}`}>
        {issuesElsewhere(issues).map((one) => (
          <p key={one.field + one.message} className={wide.issue} role="alert">
            <Said text={one.message} />
          </p>
        ))}
        {sectionIds.map((id) => {
          const rows = sections[id].filter((row) => row.kind !== "flag" || !row.only || row.only === mode);
          return (
            <section key={id} id={anchor(id)} className={css.section} aria-label={t(`editor.section.${id}`)}>
              <h3 className={css.title}>{t(`editor.section.${id}`)}</h3>
              <div className={css.rows}>
                {rows.map((row) => (
                  <div key={placesOf(row).join(" ")} className={isWide(row) ? css.wide : undefined}>
                    <Field
                      row={row}
                      spec={spec}
                      issues={issues}
                      language={language}
                      rates={rates}
                      onChange={onChange}
                    />
                  </div>
                ))}
              </div>
            </section>
          );
        })}
      </div>
    </div>
  );
}
