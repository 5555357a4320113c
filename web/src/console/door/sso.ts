import { api, unwrap } from "../../api/client.ts";

/** Leaves for the identity provider, which sends the browser back to /login/sso. */
export async function signInThere(next: string | undefined): Promise<void> {
  const { url } = await unwrap(api.POST("/v1/console/sso/begin", { body: next ? { next } : {} }));
  location.assign(url);
}

/** Has the identity provider ask anew who is there, and comes back to this page. */
export async function proveThere(): Promise<void> {
  const { url } = await unwrap(
    api.POST("/v1/console/me/prove/sso", { body: { next: location.pathname + location.search } }),
  );
  location.assign(url);
}

/** Links this account to an identity of the provider, which can sign in to it from now on. */
export async function linkThere(): Promise<void> {
  const { url } = await unwrap(api.POST("/v1/console/me/sso/begin", { body: { next: location.pathname } }));
  location.assign(url);
}
