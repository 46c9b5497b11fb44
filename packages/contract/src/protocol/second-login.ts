import type { EgressRule } from './processor-accounts.ts';

/** Names of headers and parameters that processors take a login from, or that lead to another address or method. */
const LOGIN_NAME =
  /auth|(?<!idempotency[-_]?)key|(?<!pagination[-_]?)token|cookie|secret|password|session|sign|user|client|ticket|url|path|method|forward/i;

/** Finds a header or parameter that could carry another login beside that of a rule. */
export function findSecondLogin(rule: EgressRule): string | undefined {
  const { headers = [], query = [], login } = rule;
  const loginNames = new Set(Object.keys(login?.headers ?? {}));
  return [...headers, ...query].find((name) => LOGIN_NAME.test(name) || loginNames.has(name));
}
