import { Page, type Position } from "../parts/Page.tsx";
import { Ring } from "../parts/Ring.tsx";
import { useWords } from "../words.tsx";

/** The document is being read. Nothing else can be done for these one or two seconds. */
export function Checking({ position }: { position: Position | null }) {
  const { t } = useWords();
  return <Page centred position={position} figure={<Ring />} title={t("checking.title")} lead={t("checking.text")} />;
}
