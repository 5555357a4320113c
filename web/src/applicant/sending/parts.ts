import { Refused, Unreachable } from "../../api/failure.ts";
import type { Upload } from "../../api/wire.ts";
import { put } from "./put.ts";
import { uploads } from "./uploads.ts";

/** As much is waited for before a part goes out on its own. */
const worthAPart = 256 << 10;

/**
 * Bytes on their way to the server in parts, in their order. What is there stays there: after a broken connection they go on
 * from where they were.
 */
export class Parts {
  readonly #token: string;
  #blobs: Blob[] = [];
  #size = 0;
  #upload: Upload | undefined;
  /** The last part had no answer: what the server has is not known. */
  #unsure = false;
  readonly #stop = new AbortController();
  #underWay: Promise<unknown> | undefined;

  constructor(token: string) {
    this.#token = token;
  }

  /** Adds bytes at the end, for parts that go out on their own (see `trickle`) or with `finish`. */
  add(blob: Blob): void {
    this.#blobs.push(blob);
    this.#size += blob.size;
  }

  /** Sends what is worth a part by now, in the background. What fails is left to `finish`. */
  trickle(): void {
    if (this.#underWay || this.#unsure || this.#size - (this.#upload?.received ?? 0) < worthAPart) return;
    this.#underWay = this.#send(() => undefined, this.#stop.signal)
      .catch(() => undefined)
      .finally(() => {
        this.#underWay = undefined;
      });
  }

  /** Sends the rest, and answers the upload with its length. */
  async finish(progress: (part: number) => void, signal: AbortSignal): Promise<{ upload: string; size: number }> {
    await this.#underWay;
    return { upload: await this.#send(progress, signal), size: this.#size };
  }

  /** Breaks off: what was sent is not kept. */
  async drop(): Promise<void> {
    this.#stop.abort();
    await this.#underWay;
    if (this.#upload) await uploads.drop(this.#token, this.#upload.id);
    this.forget();
  }

  /** The server has nothing of this any more. */
  forget(): void {
    this.#upload = undefined;
    this.#unsure = false;
  }

  async #send(progress: (part: number) => void, signal: AbortSignal): Promise<string> {
    let upload = await this.#there();
    while (upload.received < this.#size) {
      const { id, received, part_bytes } = upload;
      const part = new Blob(this.#blobs).slice(received, received + part_bytes);
      this.#unsure = true;
      upload = await put<Upload>({
        method: "PATCH",
        path: `/v1/applicant/uploads/${id}`,
        token: this.#token,
        headers: { "Content-Type": "application/partial-upload", "Upload-Offset": String(received) },
        body: part,
        progress: (share) => progress((received + share * part.size) / this.#size),
        signal,
      });
      this.#upload = upload;
      this.#unsure = false;
      if (upload.received <= received) throw new Unreachable("nothing arrived");
    }
    return upload.id;
  }

  /** The upload as the server has it. */
  async #there(): Promise<Upload> {
    if (this.#upload && !this.#unsure) return this.#upload;
    this.#upload = this.#upload ? await this.#asked(this.#upload.id) : await uploads.start(this.#token);
    this.#unsure = false;
    return this.#upload;
  }

  async #asked(id: string): Promise<Upload> {
    try {
      return await uploads.get(this.#token, id);
    } catch (error) {
      if (error instanceof Refused && error.problem.code === "not_found") return uploads.start(this.#token);
      throw error;
    }
  }
}
