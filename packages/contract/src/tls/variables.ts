/** Variables of the connection between a server and a vault on another host. */
export const vaultTlsVariables = {
  VAULT_LISTEN: {
    topic: 'vault_tls',
    meaning:
      'Address with TLS that the vault listens on, as `host:port`, such as `10.0.0.7:4700`, beside or instead of `VAULT_SOCKET`.',
    default: 'none',
  },
  VAULT_TLS_CERT_FILE: {
    topic: 'vault_tls',
    meaning:
      "File with the vault's certificate, as PEM. Its subject alternative names have the host that servers connect to.",
  },
  VAULT_TLS_KEY_FILE: {
    topic: 'vault_tls',
    meaning:
      'File with the private key of this certificate, readable by the user of the vault only.',
  },
  VAULT_TLS_CA_FILE: {
    topic: 'vault_tls',
    meaning:
      'File with the authority that issues certificates to servers, as PEM. Use one of your own.',
  },
  VAULT_TLS_CLIENT_NAMES: {
    topic: 'vault_tls',
    meaning:
      'Names, separated by commas. A server needs a certificate with one of them as subject alternative name (DNS).',
  },
  FLORIN_VAULT_ADDRESSES: {
    topic: 'vault_tls',
    meaning:
      'Vaults of the server, separated by commas: `https://vault-1.internal:4700`, or `unix:/run/florin/vault.sock`. The server uses the first that works. Replaces `VAULT_SOCKET`.',
    default: 'the socket of `VAULT_SOCKET`',
  },
  FLORIN_VAULT_CERT_FILE: {
    topic: 'vault_tls',
    meaning:
      "File with the server's certificate for vaults, as PEM. It has a name of `VAULT_TLS_CLIENT_NAMES`.",
  },
  FLORIN_VAULT_KEY_FILE: {
    topic: 'vault_tls',
    meaning:
      'File with the private key of this certificate, readable by the user of the server only.',
  },
  FLORIN_VAULT_CA_FILE: {
    topic: 'vault_tls',
    meaning:
      'File with the authority that issues certificates to vaults, as PEM. Use one of your own.',
  },
} as const;
