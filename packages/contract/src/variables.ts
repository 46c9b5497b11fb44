import { cellVariables } from './cell-variables.ts';
import { vaultTlsVariables } from './tls/variables.ts';
import type { Variable } from './variable.ts';

/** Levels of the logs of server and vault, highest first. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const LOG_LEVELS = '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`';

/** All variables that Florin's processes read. Variables of topic `process` are set by `npm start` itself. */
export const variables = {
  FLORIN_ENV: {
    topic: 'server',
    meaning:
      '`production`: for `florin serve`, without demo merchant, demo shop, test mailbox and simulated card network. `development`: for `npm start`.',
    default: '`development`',
  },
  PORT: {
    topic: 'server',
    meaning: 'Port that Florin listens on, 0 to 65535.',
    default: '`4000`',
  },
  FLORIN_HOST: {
    topic: 'server',
    meaning:
      'Address that Florin listens on. `0.0.0.0` opens it to the network: put a reverse proxy with TLS in front.',
    default: '`127.0.0.1`',
  },
  FLORIN_PRIVATE_LISTEN: {
    topic: 'server',
    meaning:
      'Address and port of a worker for `/livez`, `/readyz`, `/healthz` and `/metrics`, such as `10.0.0.6:4010`. Each worker of a machine needs its own port.',
    default: '`127.0.0.1:4010`',
  },
  FLORIN_DRAIN_SECONDS: {
    topic: 'server',
    meaning:
      'Seconds for which a stopping server accepts requests after `/readyz` has begun to fail, 0 to 300. Set it to the time in which your load balancer notices.',
    default: '`0`; `5` in production',
  },
  FLORIN_DATA: {
    topic: 'server',
    meaning:
      'Data directory: database, keys, logs, `credentials.json` and `secrets.key`. `~/` is the home directory.',
    default: '`.florin` in the checkout',
  },
  DATABASE_URL: {
    topic: 'server',
    is_secret: true,
    meaning:
      'Your own PostgreSQL 15 or newer, as `postgres://user:password@host:5432/name`. Several hosts, as `host1,host2:5433`: Florin uses the one that accepts writes. `pgbouncer=true`: PgBouncer in transaction mode is in between. `schema=cell_a`: the tables of the server are in that schema.',
    default: 'an embedded PostgreSQL in the data directory',
  },
  ...cellVariables,
  FLORIN_LISTEN_DATABASE_URL: {
    topic: 'server',
    is_secret: true,
    meaning:
      'Address of PostgreSQL itself, where `DATABASE_URL` leads to PgBouncer. Workers listen there for the work of other processes.',
    default: '`DATABASE_URL`; workers poll each second through PgBouncer',
  },
  FLORIN_DATABASE_CONNECTIONS: {
    topic: 'server',
    meaning:
      'Connections of one process for writes and work loops, 4 to 200. Eight for reads are added, and three for polls.',
    default: '`12`',
  },
  VAULT_DATABASE_CONNECTIONS: {
    topic: 'server',
    meaning: 'Connections of one vault to its database, 2 to 200.',
    default: '`8`',
  },
  VAULT_DATABASE_URL: {
    topic: 'server',
    is_secret: true,
    meaning:
      'Separate login of the vault, to the same or another database. Its role needs `GRANT CREATE ON DATABASE`, or nothing where `florin migrate` is used.',
    default: 'a role that Florin creates with the login of `DATABASE_URL`',
  },
  FLORIN_OWNER_DATABASE_URL: {
    topic: 'server',
    is_secret: true,
    meaning:
      'Login that owns the tables of the server, for `florin migrate`. No service may know it.',
  },
  VAULT_OWNER_DATABASE_URL: {
    topic: 'server',
    is_secret: true,
    meaning: 'Login that owns the tables of the vault, for `florin migrate`.',
    default: 'that of `FLORIN_OWNER_DATABASE_URL`',
  },
  FLORIN_SERVER_ROLE: {
    topic: 'server',
    meaning: 'Database user of the server, to which `florin migrate` gives rights.',
    default: '`florin_server`',
  },
  FLORIN_VAULT_ROLE: {
    topic: 'server',
    meaning: 'Database user of the vault, to which `florin migrate` gives rights.',
    default: '`florin_vault`',
  },
  FLORIN_PUBLIC_URL: {
    topic: 'server',
    meaning: 'Address of the API and the dashboard, as browsers and clients reach it.',
    default: '`http://localhost:PORT`',
  },
  FLORIN_PAY_URL: {
    topic: 'server',
    meaning:
      'Address of the card form and the payment links. Its host name must differ from that of `FLORIN_PUBLIC_URL`.',
    default: '`http://pay.localhost:PORT`',
  },
  FLORIN_TRUSTED_PROXIES: {
    topic: 'server',
    meaning:
      'Addresses or networks of your reverse proxies, separated by commas, such as `10.0.0.0/8`. Florin trusts their `X-Forwarded-For`.',
    default: 'none',
  },
  FLORIN_PUBLIC_PATHS: {
    topic: 'server',
    meaning:
      'Addresses that requests through a proxy may reach: `docs` (documentation), `health` (`/healthz`) and `metrics`, separated by commas, or `none`. Requests without `X-Forwarded-For` reach all.',
    default: 'all; `none` in production',
  },
  FLORIN_SECRETS_KEY: {
    topic: 'server',
    is_secret: true,
    meaning:
      'Key that seals secrets and identities of persons in the database: 32 bytes in base64 (`openssl rand -base64 32`). All processes need the same key. With several keys, separated by commas, the first seals and all open. `florin secrets reseal` ends the use of the others.',
    default: '`secrets.key` in the data directory',
  },
  FLORIN_RATE_LIMIT: {
    topic: 'server',
    meaning:
      'Requests per second of one key in one process, 1 to 1000000, or `off`. Bursts of five seconds are allowed.',
    default: '`5000`',
  },
  FLORIN_EVENT_RETENTION_DAYS: {
    topic: 'server',
    meaning:
      'Days that events are kept with their webhook deliveries, 90 to 3650. An event with a pending delivery stays.',
    default: '`400`',
  },
  FLORIN_REGISTRATION: {
    topic: 'server',
    meaning:
      '`open`: anybody can register an account and a business. `closed`: members join by invitation only.',
    default: '`open` if `FLORIN_PUBLIC_URL` is local, else `closed`',
  },
  FLORIN_LOG_LEVEL: {
    topic: 'server',
    meaning: `Lowest level that the server logs: ${LOG_LEVELS}.`,
    default: '`info`',
  },
  FLORIN_ACCESS_LOG: {
    topic: 'server',
    meaning:
      '`on`: the log of the server has a line for each request, at the level `info`. `separate`: these lines have a file or stream of their own. `off`: there are none.',
    default: '`on`',
  },
  FLORIN_LOG_FILES: {
    topic: 'server',
    meaning:
      'Number of full log files of 32 MiB that are kept per process, 1 to 1000, beside the current one.',
    default: '`7`',
  },
  FLORIN_LOG_OUTPUT: {
    topic: 'server',
    meaning:
      '`files`: processes log into `logs` of the data directory. `stdout`: they log to standard output instead.',
    default: '`files`, in the image `stdout`',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    topic: 'server',
    meaning:
      'Address of an OpenTelemetry collector, such as `http://127.0.0.1:4318`: the server sends traces and metrics there, as OTLP over HTTP in JSON.',
    default: 'nothing is sent',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    topic: 'server',
    is_secret: true,
    meaning:
      'Headers for the collector, such as `authorization=Bearer%20TOKEN`, separated by commas.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    topic: 'server',
    meaning:
      'Share of the traces that are kept, 0 to 1. A trusted proxy that sends `traceparent` decides itself.',
    default: '`1`',
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    topic: 'server',
    meaning: 'Milliseconds between exports of metrics.',
    default: '`60000`',
  },
  VAULT_LOG_LEVEL: {
    topic: 'server',
    meaning: `Lowest level that the vault logs: ${LOG_LEVELS}.`,
    default: '`info`',
  },
  FLORIN_SMTP_URL: {
    topic: 'email',
    is_secret: true,
    meaning:
      'Mail server for emails to live customers and to people with an account: `smtp://` or `smtps://user:password@mail.example.com:465`. A password is sent over TLS only.',
  },
  FLORIN_MAIL_FROM: {
    topic: 'email',
    meaning: 'Address that emails are from. Set it together with `FLORIN_SMTP_URL`.',
  },
  FLORIN_EMAIL_RETENTION_DAYS: {
    topic: 'email',
    meaning: 'Days that emails to customers can be read in the API, 90 to 3650.',
    default: '`400`',
  },
  FLORIN_LETTERS_DAYS: {
    topic: 'email',
    meaning: 'Deprecated name of `FLORIN_EMAIL_RETENTION_DAYS`.',
  },
  FLORIN_DEMO_SHOP: {
    topic: 'sandbox',
    meaning: '`true` or `false`: whether `/shop` serves the demo shop.',
    default: '`true` if `FLORIN_PUBLIC_URL` is local',
  },
  FLORIN_DEMO_ORDERS: {
    topic: 'sandbox',
    meaning:
      '`true` or `false`: whether the demo shop of a new installation has sandbox customers, payments, refunds and a subscription.',
    default: '`true`',
  },
  FLORIN_SANDBOX_WEBHOOKS: {
    topic: 'sandbox',
    meaning:
      '`public`: sandbox webhooks go to public addresses only, as live ones do. `private`: also to private addresses; anyone who can create a subscription can read their responses.',
    default: '`private` if `FLORIN_PUBLIC_URL` is local, else `public`',
  },
  FLORIN_SIMULATOR_URL: {
    topic: 'sandbox',
    meaning:
      'Simulated card network that several machines share, such as `http://10.0.0.5:4100`. A database belongs to one card network.',
    default: 'Florin starts its own',
  },
  SIMULATOR_HOST: {
    topic: 'sandbox',
    meaning:
      'Address that the simulated card network listens on. Anybody who reaches it can change its records: keep it in a private network.',
    default: 'loopback',
  },
  SIMULATOR_PORT: {
    topic: 'sandbox',
    meaning: 'Port of the simulated card network.',
    default: 'that of the last start, or a free port',
  },
  SIMULATOR_ACS_URL: {
    topic: 'sandbox',
    meaning:
      "Address of the simulated bank's 3-D Secure pages. Set it if browsers run on other machines; a proxy must lead it to the simulator.",
    default: "`http://acs.localhost` at the simulator's port",
  },
  FLORIN_SECRET_KEY: {
    topic: 'sandbox',
    meaning: 'Secret key that `florin listen` and `florin trigger` use.',
    default: 'the sandbox key in `credentials.json`',
  },
  VAULT_KMS: {
    topic: 'hsm',
    meaning: '`file` keeps the root key in the data directory, `pkcs11` in an HSM.',
    default: '`file`',
  },
  VAULT_PKCS11_MODULE: { topic: 'hsm', meaning: "Path of the HSM's PKCS #11 library." },
  VAULT_PKCS11_TOKEN: { topic: 'hsm', meaning: 'Label of the token.' },
  VAULT_PKCS11_PIN_FILE: { topic: 'hsm', meaning: 'File with the PIN of the token.' },
  VAULT_PKCS11_CLIENT: {
    topic: 'hsm',
    meaning: 'Name or path of the package `pkcs11js` (`npm install --no-save pkcs11js`).',
    default: '`pkcs11js`',
  },
  VAULT_APPLE_PAY_MERCHANT: {
    topic: 'wallets',
    meaning: 'Merchant identifier of Apple. Enables Apple Pay in live mode.',
  },
  VAULT_APPLE_PAY_ROOT_FILE: {
    topic: 'wallets',
    meaning: 'File with the certificate of Apple Root CA - G3, as PEM.',
  },
  VAULT_APPLE_PAY_KEY_FILE: {
    topic: 'wallets',
    meaning:
      'File with the private key of the payment processing certificate, as PEM. The vault stores the key at its first start; delete the file then.',
  },
  VAULT_GOOGLE_PAY_RECIPIENT: {
    topic: 'wallets',
    meaning:
      '`gateway:<name>` or `merchant:<id>`, as registered with Google. Enables Google Pay in live mode.',
  },
  VAULT_GOOGLE_PAY_MERCHANT: {
    topic: 'wallets',
    meaning: "Merchant id of Google's console. A recipient `gateway:<name>` needs it.",
    default: 'the id of a recipient `merchant:<id>`',
  },
  VAULT_GOOGLE_PAY_ROOTS_FILE: {
    topic: 'wallets',
    meaning: "File with Google's root signing keys, as JSON. The keys expire; a start reads them.",
  },
  VAULT_GOOGLE_PAY_KEY_FILE: {
    topic: 'wallets',
    meaning:
      'File with the private key whose public key Google has, as PEM. The vault stores the key at its first start; delete the file then.',
  },
  FLORIN_ROLE: {
    topic: 'process',
    meaning:
      '`api` serves requests, `worker` runs the work loops, `all` does both. `router` passes requests on to cells. `florin serve` sets it.',
    default: '`all`',
  },
  ...vaultTlsVariables,
  VAULT_SOCKET: {
    topic: 'process',
    meaning:
      'Path of the Unix socket of the vault. `npm start` sets it; `florin serve` requires it from you.',
  },
  VAULT_SOCKET_MODE: {
    topic: 'process',
    meaning:
      '`owner`: only the user of the vault reaches its socket. `group`: also the group of its directory. `florin serve vault` sets `group`.',
    default: '`owner`',
  },
  VAULT_ADMIN_SOCKET: {
    topic: 'process',
    meaning: 'Path of the Unix socket for `florin vault` commands.',
  },
  VAULT_DATA: { topic: 'process', meaning: 'Directory of the root keys.' },
  VAULT_NAME: {
    topic: 'process',
    meaning:
      'Name of this vault among the vaults of a database. Set it where host names change, as in containers.',
    default: 'host name and directory',
  },
  VAULT_EGRESS: {
    topic: 'processors',
    meaning:
      'Origins of payment processors, separated by commas, such as `https://abcd1234.api.checkout.com`. The vault sends cards and secrets of accounts nowhere else. The simulated card network is always allowed.',
  },
  VAULT_SENDS_CARDS_TO: {
    topic: 'processors',
    meaning:
      'Digests of the keys of other vaults, separated by commas. Only they may get the cards of merchants who move to their cell: `florin vault cards receive` prints the digest.',
  },
  VAULT_CONNECTIONS_MAX: {
    topic: 'processors',
    meaning: 'Maximum number of connections of the vault to one processor.',
    default: '1024',
  },
  VAULT_LIMITS: {
    topic: 'processors',
    meaning:
      'Calls per minute of one merchant in one mode, per vault: `ingest=…`, `describe=…`, `attach=…`, `destroy=…` and `relay=…`, separated by commas.',
    default: '`ingest=6000,describe=6000,attach=12000,destroy=12000,relay=120000`',
  },
  FLORIN_ACCESS_LOG_FD: {
    topic: 'process',
    meaning: 'Number of the open file that takes the access log, where it is separate.',
  },
  FLORIN_RESTARTS: {
    topic: 'process',
    meaning: 'Number of restarts by the supervisor, which sets it.',
  },
  SIMULATOR_URL: { topic: 'process', meaning: 'Address of the simulated card network.' },
  SIMULATOR_DATA: {
    topic: 'process',
    meaning: 'Directory of the simulated card network.',
    default: '`.florin/simulator`',
  },
} as const satisfies Readonly<Record<string, Variable>>;

/** Addresses that can be kept from requests through a proxy. */
export const publicPaths = ['docs', 'health', 'metrics'] as const;
export type PublicPath = (typeof publicPaths)[number];

/** Parts of the server that a process runs: its HTTP interface, its work loops, or both. */
export const serverRoles = ['all', 'api', 'worker'] as const;
/** The part that passes requests on to cells. */
export const routerRole = 'router';
export type ServerRole = (typeof serverRoles)[number];

/** Where the processes log. */
export const logOutputs = ['files', 'stdout'] as const;

/** Ways to run Florin. */
export const environments = ['development', 'production'] as const;
export type FlorinEnvironment = (typeof environments)[number];

export type VariableName = keyof typeof variables;

/** The environment of a process, as far as Florin reads it. */
export type Environment = Readonly<Partial<Record<VariableName, string | undefined>>>;
