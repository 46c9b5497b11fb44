import { randomUUID } from 'node:crypto';
import { sandboxCards, sandboxCvv } from '@florin/contract/card/sandbox-cards.ts';
import {
  type FrameConfig,
  SEALED_LIFE_SECONDS,
  sidOf,
  type VerifyAnswer,
} from '@florin/contract/protocol/frame.ts';
import type { Stack } from '@florin/dev-env/stack.ts';
import { CompactEncrypt, importJWK } from 'jose';
import { rawRequest } from './raw-request.ts';

export interface PayAnswer {
  readonly status: number;
  readonly text: string;
}

/** Origin that serves a form. */
export type FormServer = Pick<Stack, 'payUrl'>;

/** Sends a request to the origin of the hosted form, with an optional JSON body. */
export const callPay = (
  { payUrl }: FormServer,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<PayAnswer> =>
  rawRequest(payUrl, {
    method: body ? 'POST' : 'GET',
    path,
    headers: {
      host: new URL(payUrl).host,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });

/** Mounts a form for the payment; returns the form's configuration. */
export async function mountForm(
  server: FormServer,
  paymentId: string,
  key: string,
): Promise<FrameConfig> {
  const { text } = await callPay(server, `/pay/${paymentId}?key=${key}`);
  const json = /id="florin-config">(.*?)<\/script>/s.exec(text)?.[1];
  if (!json) throw new Error(`the page holds no form: ${text.slice(-400)}`);
  return JSON.parse(json) as FrameConfig;
}

/**
 * Seals a card for the form's verification request. `cardName` is a test token without `pan_test_`;
 * `number` replaces its number.
 */
export async function sealCard(
  { session, sealing_key }: Pick<FrameConfig, 'session' | 'sealing_key'>,
  cardName = 'visa',
  number?: string,
) {
  const sandboxCard = sandboxCards.find(({ token }) => token === `pan_test_${cardName}`);
  const pan = number ?? sandboxCard?.number;
  const key = await importJWK({ ...sealing_key }, 'ECDH-ES');
  const seal = (claims: object): Promise<string> => {
    const iat = Math.floor(Date.now() / 1000);
    const text = JSON.stringify({
      ...claims,
      jti: randomUUID(),
      iat,
      exp: iat + SEALED_LIFE_SECONDS,
      pad: '',
    });
    return new CompactEncrypt(new TextEncoder().encode(text.padEnd(256)))
      .setProtectedHeader({
        alg: 'ECDH-ES',
        enc: 'A256GCM',
        kid: sealing_key.kid,
        typ: 'card+jwe',
        sid: sidOf(session),
      })
      .encrypt(key);
  };
  return {
    session,
    pan_jwe: await seal({ pan, expiry_month: 12, expiry_year: 2031 }),
    cvv_jwe: await seal({ cvv: sandboxCvv(sandboxCard?.brand ?? 'visa') }),
    timezone: 'Europe/Vienna',
  };
}

export const answerOf = ({ text }: PayAnswer): VerifyAnswer => JSON.parse(text) as VerifyAnswer;
