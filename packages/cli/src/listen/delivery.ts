import { createHmac } from 'node:crypto';
import {
  deliveryBodyOf,
  EVENT_ID_HEADER,
  edgeSignature,
  standardSignature,
} from '@florin/contract/protocol/webhook.ts';
import type { EventRecord } from './event-log.ts';

/** Builds the body of an event's delivery: the record of the interface without links and log position. */
export function bodyOf({ id, type, attributes, relationships }: EventRecord): string {
  const { recorded_at, ...rest } = attributes;
  return deliveryBodyOf({
    id,
    type,
    attributes: rest,
    relationships: { merchant: { data: relationships.merchant?.data } },
  });
}

/** Builds the delivery's headers at Unix time `t`, in seconds, with both signatures. */
export function headersOf(
  event_id: string,
  body: string,
  secret: string,
  t: number,
): Record<string, string> {
  const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
  const edge = sign(secret, edgeSignature.signedText(t, body)).digest('hex');
  const standard = sign(
    Buffer.from(secret, 'base64'),
    standardSignature.signedText(event_id, t, body),
  ).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Florin/listen',
    [EVENT_ID_HEADER]: event_id,
    [edgeSignature.header]: edgeSignature.format(t, edge),
    [standardSignature.idHeader]: event_id,
    [standardSignature.timestampHeader]: String(t),
    [standardSignature.header]: standardSignature.format(standard),
  };
}
