import { api, unwrap } from "../../api/client.ts";
import type { Upload } from "../../api/wire.ts";
import { bearer } from "../calls.ts";

/** The calls about what is sent in parts; apart from the others, because the first screen needs none of them. */
export const uploads = {
  start: (token: string): Promise<Upload> => unwrap(api.POST("/v1/applicant/uploads", { ...bearer(token), body: {} })),
  get: (token: string, upload: string): Promise<Upload> =>
    unwrap(api.GET("/v1/applicant/uploads/{upload}", { ...bearer(token), params: { path: { upload } } })),
  /** Tells the server to keep nothing of an upload; it forgets by itself within an hour where this does not arrive. */
  drop: async (token: string, upload: string): Promise<void> => {
    await api
      .DELETE("/v1/applicant/uploads/{upload}", { ...bearer(token), params: { path: { upload } }, keepalive: true })
      .catch(() => undefined);
  },
};
