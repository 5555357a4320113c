import { t } from "../words.ts";
import type { Hindrance } from "./webauthn.ts";

/** Why passkeys do not work on this page, and where they do. */
export function NotHere({ why, origin }: { why: Hindrance; origin: string }) {
  if (why === "elsewhere")
    return (
      <p role="status">
        {t("passkey.elsewhere")} <a href={origin + location.pathname}>{origin}</a>
      </p>
    );
  return <p role="status">{t(why === "insecure" ? "passkey.insecure" : "passkey.no_browser")}</p>;
}
