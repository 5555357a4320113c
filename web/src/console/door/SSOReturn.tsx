import { useQuery } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import form from "../pages/Door.module.css";
import { Door } from "../pages/Door.tsx";
import { ErrorMessage } from "../parts/ErrorMessage.tsx";
import { client, queries } from "../queries.ts";
import { t } from "../words.ts";

/** What the provider put into the address, taken out of it at once: it must not stay in the browser's history. */
function takeAnswer() {
  const found = new URLSearchParams(location.search);
  history.replaceState(history.state, "", location.pathname);
  const take = (name: string, most: number) => found.get(name)?.slice(0, most);
  const [authorization, iss, error] = [take("code", 4096), take("iss", 500), take("error", 200)];
  return {
    state: take("state", 200) ?? "",
    ...(authorization ? { authorization } : {}),
    ...(iss ? { iss } : {}),
    ...(error ? { error } : {}),
  };
}

/** Where the identity provider sends people back to. */
export function SSOReturn() {
  const [answer] = useState(takeAnswer);
  const router = useRouter();
  const { data, error } = useQuery({
    queryKey: ["sso", answer.state],
    queryFn: () => unwrap(api.POST("/v1/console/sso/finish", { body: answer })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (!data) return;
    client.setQueryData(queries.me.queryKey, data.me);
    router.history.replace(data.next);
  }, [data, router]);
  if (!error) return <Door title={t("login.title")}>{t("app.loading")}</Door>;
  return (
    <Door title={t("sso.failed")}>
      <div className={form.form}>
        <ErrorMessage error={error} />
        <Link to="/login" search={{}}>
          {t("login.go")}
        </Link>
      </div>
    </Door>
  );
}
