export type * from './events.ts';
export type { WebhookHeaders } from './headers.ts';
export { type SignOptions, sign } from './sign.ts';
export { type VerifyOptions, verify } from './verify.ts';
export { WebhookError, type WebhookErrorCode } from './webhook-error.ts';
export type { EventCode, EventOf, WebhookEvent } from './webhook-event.ts';
