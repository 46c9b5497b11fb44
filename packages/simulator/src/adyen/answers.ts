import type { StandInAnswer } from '../stand-in/answer.ts';

export type AdyenErrorType = 'internal' | 'validation' | 'security' | 'configuration';

/** Error body of the interface. A psp reference in an error does not mean that money moved. */
export const serviceError = (
  status: number,
  errorCode: string,
  message: string,
  errorType: AdyenErrorType = 'validation',
): StandInAnswer => ({ status, body: { status, errorCode, message, errorType } });

/** Error of a request that was understood and is wrong. */
export const invalidRequest = (errorCode: string, message: string): StandInAnswer =>
  serviceError(422, errorCode, message);

/** Error of a body that does not have the structure of the interface. */
export const unreadable = (message: string): StandInAnswer => serviceError(400, '702', message);

export const wrongKey = serviceError(401, '000', 'HTTP Status Response - Unauthorized', 'security');
export const noSuchOperation = serviceError(404, '000', 'Not Found');
export const wrongMerchant = serviceError(403, '901', 'Invalid Merchant Account', 'security');
export const missingRole = serviceError(403, '010', 'Not allowed', 'security');
export const inProgress = invalidRequest('704', 'request already processed or in progress');
export const noOriginal = invalidRequest(
  '167',
  'Original pspReference required for this operation',
);

/** Header by which an error says that the request had no effect and may be repeated with its key. */
const TRANSIENT_HEADER = 'transient-error';

/** Marks an error as transient. A transient error is not kept for repeated idempotency keys. */
export const asTransient = (answer: StandInAnswer): StandInAnswer => ({
  ...answer,
  headers: { ...answer.headers, [TRANSIENT_HEADER]: 'true' },
});

export const isTransient = ({ headers }: StandInAnswer): boolean =>
  headers?.[TRANSIENT_HEADER] === 'true';
