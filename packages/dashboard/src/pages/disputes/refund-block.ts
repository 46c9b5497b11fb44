interface Refundable {
  readonly status: string;
  readonly refundable_cents: number;
  readonly mayRefund: boolean;
  readonly isAccountRemoved: boolean;
}

/** Text that says why the payment of a decided dispute cannot be refunded. Undefined if it can be. */
export function refundBlockOf({
  status,
  refundable_cents,
  mayRefund,
  isAccountRemoved,
}: Refundable) {
  // A lost dispute about a part of the payment leaves the rest.
  if (refundable_cents <= 0) return status === 'lost' ? 'refund_lost' : 'refund_nothing';
  if (!mayRefund) return 'refund_forbidden';
  return isAccountRemoved ? 'refund_account_removed' : undefined;
}
