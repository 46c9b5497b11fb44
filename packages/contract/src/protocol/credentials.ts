/** Placeholders for secrets of a processor account in a relayed request. */

/** A header that the vault fills with a secret, such as `Bearer <secret>`. */
export interface CredentialHeader {
  readonly prefix?: string;
  /** Name of the secret. */
  readonly secret: string;
}

/** A secret by name, or a text that is none. */
export type CredentialValue = { readonly secret: string } | { readonly text: string };

/** Names of the secrets of a client certificate, both as PEM. The key has no passphrase. */
export interface ClientCertificate {
  /** The certificate, with its chain after it. */
  readonly certificate: string;
  readonly private_key: string;
}

/** Login of HTTP Basic (RFC 7617). The user must not contain a colon. */
export interface BasicCredentials {
  readonly user: CredentialValue;
  readonly password: CredentialValue;
}
