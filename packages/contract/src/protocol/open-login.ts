import { canonicalJson } from '../canonical-json.ts';
import type { EgressRule } from './processor-accounts.ts';
import { secretNamesOf } from './vault.ts';

/** Names of headers and parameters that processors take a login from, or that lead to another address or method. */
const LOGIN_NAME =
  /auth|(?<!idempotency[-_]?)key|(?<!pagination[-_]?)token|cookie|secret|password|session|sign|user|client|ticket|url|path|method|forward/i;

/** Finds a header or parameter that could carry another login beside that of a rule. */
function findSecondLogin(rule: EgressRule): string | undefined {
  const { headers = [], query = [], login } = rule;
  const loginNames = new Set(Object.keys(login?.headers ?? {}));
  return [...headers, ...query].find((name) => LOGIN_NAME.test(name) || loginNames.has(name));
}

/**
 * Tells how a message of a rule could leave with another login, or with a secret that its login does not have. Undefined
 * for a rule that lets none through.
 */
export function findOpenLogin(rule: EgressRule): string | undefined {
  const { login, secret_fields = {} } = rule;
  if (!login) return 'names no login: the adapter must declare "login"';
  if (secretNamesOf(login).length === 0) return 'names a login without a secret';
  if (canonicalJson(secret_fields) !== canonicalJson(login.body ?? {}))
    return 'has other secrets in its body than its login';
  const name = findSecondLogin(rule);
  return name === undefined ? undefined : `lets ${name} through`;
}
