import type { Scope } from '../../../platform/database/scope.ts';
import { type Micros, seconds } from '../../../platform/time/clock.ts';

/** Rights of a customer's link: one subscription, for a limited time. */
export interface CustomerLink {
  readonly scope: Scope;
  readonly subscription_id: string;
  /** First instant, in full seconds, at which the link is no longer valid. */
  readonly expires: Micros;
  /** Epoch of the link. Links of earlier epochs than the subscription's are revoked. */
  readonly epoch: number;
}

const VERSION = 1;
const modes = ['live', 'sandbox'] as const;
const UUID_BYTES = 16;
const SECONDS_BYTES = 6;
const EPOCH_BYTES = 4;
/** Byte offsets of the parts, after version and mode. */
const MERCHANT_AT = 2;
const SUBSCRIPTION_AT = MERCHANT_AT + UUID_BYTES;
const EXPIRES_AT = SUBSCRIPTION_AT + UUID_BYTES;
const EPOCH_AT = EXPIRES_AT + SECONDS_BYTES;
const BODY_BYTES = EPOCH_AT + EPOCH_BYTES;

/** Encodes a link in few bytes, so that its address is short enough for emails. */
export function packLink({ scope, subscription_id, expires, epoch }: CustomerLink): Buffer {
  const bytes = Buffer.alloc(BODY_BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeUInt8(modes.indexOf(scope.mode), 1);
  bytes.write(scope.merchant_id.replaceAll('-', ''), MERCHANT_AT, 'hex');
  bytes.write(subscription_id.replaceAll('-', ''), SUBSCRIPTION_AT, 'hex');
  bytes.writeUIntBE(Math.floor(expires / seconds(1)), EXPIRES_AT, SECONDS_BYTES);
  bytes.writeUIntBE(epoch, EPOCH_AT, EPOCH_BYTES);
  return bytes;
}

/** Decodes a link; undefined if another version of Florin encoded it. */
export function unpackLink(bytes: Buffer): CustomerLink | undefined {
  const mode = modes[bytes[1] ?? modes.length];
  if (bytes.length !== BODY_BYTES || bytes[0] !== VERSION || !mode) return undefined;
  const uuidAt = (at: number): string => uuidText(bytes.toString('hex', at, at + UUID_BYTES));
  return {
    scope: { merchant_id: uuidAt(MERCHANT_AT), mode },
    subscription_id: uuidAt(SUBSCRIPTION_AT),
    expires: seconds(bytes.readUIntBE(EXPIRES_AT, SECONDS_BYTES)),
    epoch: bytes.readUIntBE(EPOCH_AT, EPOCH_BYTES),
  };
}

const uuidText = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
