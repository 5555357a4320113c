import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** An email that arrived, as a mail program would show it. */
export type Arrived = { to: string; subject: string; text: string; html: string };

/** An SMTP server on this machine that takes every email: nodemailer's, so that ours is understood by somebody else's. */
export class Mailbox {
  readonly #server: SMTPServer;
  readonly #mails: Arrived[] = [];
  #waiting: (() => void)[] = [];

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on("data", (part: Buffer) => parts.push(part));
        stream.on("end", () => {
          void PostalMime.parse(Buffer.concat(parts)).then((mail) => {
            const to = session.envelope.rcptTo.map(({ address }) => address).join(", ");
            this.#mails.push({ to, subject: mail.subject ?? "", text: mail.text ?? "", html: mail.html ?? "" });
            for (const wake of this.#waiting.splice(0)) wake();
            done();
          }, done);
        });
      },
    });
  }

  static async open(): Promise<Mailbox> {
    const box = new Mailbox();
    await new Promise<void>((resolve) => box.#server.listen(0, "127.0.0.1", () => resolve()));
    return box;
  }

  /** The flags that have a server of ours send its email here. */
  get flags(): string[] {
    const { port } = this.#server.server.address() as AddressInfo;
    return ["--mail-server", `127.0.0.1:${port}`, "--mail-security", "none", "--mail-from", "Bank <id@bank.example>"];
  }

  /** Takes the first email to an address out of the box, and waits for it. */
  async take(to: string): Promise<Arrived> {
    const until = Date.now() + 60_000;
    for (;;) {
      const at = this.#mails.findIndex((mail) => mail.to === to);
      const [mail] = at < 0 ? [] : this.#mails.splice(at, 1);
      if (mail) return mail;
      const left = until - Date.now();
      if (left <= 0) throw new Error(`no email to ${to}`);
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        setTimeout(resolve, left);
      });
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
