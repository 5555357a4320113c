import type { LivenessPath } from "../../api/wire.ts";
import type { Key } from "../../i18n/words.ts";
import { Page, type Position } from "../parts/Page.tsx";
import { useWords } from "../words.tsx";
import choose from "./Choose.module.css";

type Props = {
  position: Position | null;
  /** The way that is asked for now; it is not offered again. */
  gentle: boolean;
  busy: LivenessPath | null;
  onPath: (path: LivenessPath) => void;
};

const words: Record<LivenessPath, { name: Key; hint: Key }> = {
  usual: { name: "ways.usual", hint: "ways.usual_hint" },
  gentle: { name: "ways.gentle", hint: "ways.gentle_hint" },
  person: { name: "ways.person", hint: "ways.person_hint" },
};

/** For people who cannot make the usual movements or follow them on the screen. Each way leads on, none is held against them. */
export function Ways({ position, gentle, busy, onPath }: Props) {
  const { t } = useWords();
  const offered: LivenessPath[] = [gentle ? "usual" : "gentle", "person"];
  return (
    <Page position={position} title={t("ways.title")} lead={t("ways.text")}>
      <ul className={choose.kinds}>
        {offered.map((path) => (
          <li key={path}>
            <button
              type="button"
              className={choose.kind}
              aria-disabled={busy !== null}
              aria-busy={busy === path}
              onClick={() => busy || onPath(path)}
            >
              <span className={choose.words}>
                <span className={choose.name}>{t(words[path].name)}</span>
                <span className={choose.hint}>{t(words[path].hint)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Page>
  );
}
