import type { RelayRequest } from '@florin/contract/protocol/vault.ts';

/** A message of a payment, to an address where nobody listens. */
export const createRequest = (id: string): RelayRequest => ({
  id,
  merchant_id: '0190f3c2-7b4e-7abc-8def-0123456789ab',
  mode: 'sandbox',
  card_pan_token: 'pan_test',
  consumes_cvv: true,
  method: 'POST',
  url: 'http://127.0.0.1:1/',
  headers: {},
  body: {},
  card_fields: {},
  timeout_ms: 1_000,
  not_after: Number.MAX_SAFE_INTEGER,
});
