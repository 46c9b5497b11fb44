import type { DisputeFilePurpose } from '@florin/contract/resources/dispute-files.ts';
import type { EvidenceRules } from '../../port/metadata.ts';

/** Longest text of one kind of evidence. */
export const CHECKOUT_TEXT_CHARS_MAX = 500;

/** Kind of evidence of each purpose. Checkout.com takes one file of a kind. */
export const kindByPurpose: Readonly<Record<DisputeFilePurpose, string>> = {
  product_description: 'additional_evidence',
  customer_communication: 'customer_communication',
  shipping_documentation: 'proof_of_delivery_or_service',
  refund_policy: 'refund_or_cancellation_policy',
  receipt: 'invoice_or_receipt',
  recurring_agreement: 'recurring_transaction_agreement',
  uncategorized_file: 'additional_evidence',
};

/** Kind of evidence of each text. Two attributes share `additional_evidence`. */
export const kindByText: Readonly<Record<string, string>> = {
  product_description: 'additional_evidence',
  customer_communication: 'customer_communication',
  shipping_documentation: 'proof_of_delivery_or_service',
  refund_policy: 'refund_or_cancellation_policy',
  uncategorized_text: 'additional_evidence',
};

/** Names by their kind, in groups. */
const groupsOf = <Name extends string>(kinds: Readonly<Record<Name, string>>): Name[][] => [
  ...Map.groupBy(Object.keys(kinds) as Name[], (name) => kinds[name]).values(),
];

/** Texts that share a limit. */
export const checkoutTextRules: EvidenceRules['texts'] = groupsOf(kindByText).map((names) => ({
  names,
  chars_max: CHECKOUT_TEXT_CHARS_MAX,
}));

/** Purposes of which Checkout.com takes one file together. */
export const checkoutFileKinds: NonNullable<EvidenceRules['one_file_of']> = groupsOf(kindByPurpose);
