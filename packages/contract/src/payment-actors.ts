/** A member or API key that made or changed a payment, or one of its captures, refunds and disputes. */
export interface PaymentActor {
  readonly record_id: string;
  /** Method and route of the request, such as `POST /v2/refund_demands`. */
  readonly action: string;
  readonly kind: 'member' | 'api_key';
  /** Name of the member or the key. Null if the caller may not read it, or if there is none. */
  readonly name: string | null;
  readonly at: string;
}
