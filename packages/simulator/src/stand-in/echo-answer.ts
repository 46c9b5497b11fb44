import type { StandInAnswer } from './answer.ts';
import type { FaultSubject } from './request-faults.ts';

/** An error that repeats the request, card and key included, in the members that adapters read. */
export function echoAnswerOf(
  { headers, body }: Pick<FaultSubject, 'body'> & { readonly headers: object },
  status: number,
): StandInAnswer {
  const texts = [JSON.stringify(body ?? ''), JSON.stringify(headers)];
  return {
    status,
    body: {
      // Checkout.com
      error_type: 'request_invalid',
      error_codes: texts,
      // Adyen
      errorType: 'validation',
      errorCode: '101',
      message: texts.join(' '),
      request: { headers, body },
    },
  };
}
