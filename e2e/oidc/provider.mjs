// An OpenID provider with a few invented people, on any free port. Whoever signs in is asked for a name and any password.
// The first argument is where it sends people back to; it prints its address. Each line that it reads moves Grace to auditing.
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const people = {
  grace: { email: "grace@example.org", email_verified: true, name: "Grace", groups: ["staff", "kyc"] },
  newcomer: { email: "new@example.org", email_verified: true, name: "New", groups: ["staff"] },
  unverified: { email: "un@example.org", email_verified: false, name: "Un", groups: ["kyc"] },
};

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: "bonafide", client_secret: "a secret of the test", redirect_uris: [process.argv[2]] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    pkce: { required: () => true },
    cookies: { keys: ["a key of the test"] },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people[id] }) }),
  });
  server.on("request", provider.callback());
  process.stdin.on("data", () => {
    people.grace.groups = ["audit"];
    console.log("moved");
  });
  console.log(issuer);
});
