import type { Certificate } from "../../api/wire.ts";
import { t } from "../words.ts";
import css from "./Trust.module.css";
import { dayOf } from "./trust.ts";

/** Certificates with their keys and dates, each with a note about it. */
export function Certificates({ all }: { all: readonly { certificate: Certificate; note?: string }[] }) {
  return (
    <ul className={css.certificates}>
      {all.map(({ certificate, note }) => (
        <li key={`${certificate.sha256} ${note}`}>
          <strong>{certificate.subject}</strong>
          {note && <span>{note}</span>}
          <span>
            {t("trust.certificate", {
              key: certificate.key,
              from: dayOf(certificate.not_before),
              to: dayOf(certificate.not_after),
            })}
          </span>
          {certificate.key_id && (
            <span>
              {t("trust.certificate.id")} <code>{certificate.key_id}</code>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
