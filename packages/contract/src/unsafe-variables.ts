/** Variables of the runtime that production refuses, each with what it could do to server and vault. */
export const unsafeVariables = {
  NODE_TLS_REJECT_UNAUTHORIZED: 'can switch the check of certificates off',
  NODE_EXTRA_CA_CERTS: 'lets another authority vouch for processors and the database',
  NODE_USE_SYSTEM_CA: 'lets other authorities vouch for processors and the database',
  SSL_CERT_FILE: 'can replace the authorities that vouch for processors',
  SSL_CERT_DIR: 'can replace the authorities that vouch for processors',
  OPENSSL_CONF: 'can weaken TLS and load code',
  NODE_USE_ENV_PROXY: 'leads messages to a proxy',
  NODE_OPTIONS: 'can open a debugger and load code',
  NODE_DEBUG: 'logs messages with their content',
  NODE_DEBUG_NATIVE: 'logs messages with their content',
  NODE_V8_COVERAGE: 'writes files about the running program',
  NODE_PATH: 'can load other code',
  LD_PRELOAD: 'can load other code',
  LD_AUDIT: 'can load other code',
} as const;

/** Names of the unsafe variables that are set. */
export const findUnsafeVariables = (
  env: Readonly<Record<string, string | undefined>>,
): (keyof typeof unsafeVariables)[] =>
  (Object.keys(unsafeVariables) as (keyof typeof unsafeVariables)[]).filter((name) => env[name]);

/** One sentence about the first unsafe variable that is set; undefined without one. */
export function describeUnsafeVariable(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const [name] = findUnsafeVariables(env);
  return name && `${name} is set, which ${unsafeVariables[name]}. Remove it.`;
}
