import { Page, type Position } from "../parts/Page.tsx";
import { Ring } from "../parts/Ring.tsx";
import { useWords } from "../words.tsx";

/** The document is being read, or what a wallet shared is being checked. Nothing else can be done for these one or two seconds. */
export function Checking({ position, wallet }: { position: Position | null; wallet: boolean }) {
  const { t } = useWords();
  const title = t(wallet ? "wallet.checking" : "checking.title");
  return <Page centred position={position} figure={<Ring />} title={title} lead={t("checking.text")} />;
}
