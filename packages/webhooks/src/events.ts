// Made by `npm run openapi` from the definitions of the records; do not edit.

export interface EventAttributes {
  /** Mode of the record. */
  readonly mode: 'live' | 'sandbox';
  /** Type of the record with its group, such as `transaction.payment_demands`. With `slug` it forms the code in webhook subscriptions. */
  readonly resource_type: string;
  /** Id of the record. */
  readonly resource_id: string;
  /** Kind of the change, such as `succeeded`. */
  readonly slug: string;
  /** Number of the event among the events of its record: 1, 2, 3, without gaps. */
  readonly sequence: number;
  /** Time of the change, by the sandbox’s clock if it was moved. Kept for 400 days, or as the operator chooses. */
  readonly created_at: string;
  /** Time of storage by the database’s clock. Use it to follow the log, and read the last minute again: transactions become visible out of order. */
  readonly recorded_at: string;
}

/** The capture of an amount that is held on a card. */
export interface CaptureDemandAttributes {
  /** `pending` is accepted, `processing` was sent. After `failed` the hold remains as before. A payment has one capture in progress at a time. */
  readonly status: 'pending' | 'processing' | 'succeeded' | 'failed';
  /** Minor units in the payment’s currency; all that is left of the hold by default. */
  readonly amount_cents: number | null;
  /** Whether this is the last capture; `true` by default. After `true` the rest of the hold is released. After `false` the payment is `authorised` again until a final capture, a void, or `hold_expires_at`. A capture of all that is left is always final. Accounts of some processors take one capture only: 422 `several_captures_unsupported`. */
  readonly final: boolean;
  /** The currency of the payment. Another currency is refused. ISO 4217 code. */
  readonly amount_currency: string | null;
  /** Makes a repeat safe: the same key with the same request is done once. With another request the answer is 409 `idempotency_conflict`. Unique per type. */
  readonly idempotency_key: string | null;
  /** The merchant’s own data: at most 50 texts of up to 500 characters. Names have up to 40 letters, digits, dashes and underscores. An update replaces the whole object. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Reason of a failure: `capture_declined` by the bank or the network, or `processor_unreachable`. Null otherwise. */
  readonly failure_reason: string | null;
  /** Time of the capture; null until then. */
  readonly succeeded_at: string | null;
  /** Time of creation. */
  readonly created_at: string;
  /** Time of the last change. */
  readonly updated_at: string;
}

/** A postal address of a customer. */
export interface ConsumerAddressAttributes {
  /** Street and number. */
  readonly line_1: string;
  /** Flat, floor or care-of line. */
  readonly line_2: string | null;
  readonly city: string;
  /** State, province or region. Enter the region or city where addresses have none. USA and CAN need a known code or name. */
  readonly state: string;
  /** Postal code. */
  readonly zip: string;
  /** ISO 3166-1 alpha-3; a write may also use alpha-2. */
  readonly country: string;
  /** Time at which it was discarded; null while in use. */
  readonly discarded_at: string | null;
  /** Time of creation. */
  readonly created_at: string;
  /** Time of the last change. */
  readonly updated_at: string;
}

/** A customer of the merchant. */
export interface CustomerAttributes {
  /** Customers may share an email address. */
  readonly email: string;
  readonly name: string | null;
  /** A telephone number, stored as E.164. */
  readonly phone_number: string | null;
  /** An internal note. The customer never sees it. */
  readonly description: string | null;
  /** Language of emails to the customer. Default: the language of the merchant. */
  readonly locale: 'ar' | 'cs' | 'da' | 'de' | 'el' | 'en' | 'es' | 'fi' | 'fr' | 'hu' | 'it' | 'ja' | 'nb' | 'nl' | 'pl' | 'pt' | 'ro' | 'sv' | 'tr' | 'zh' | null;
  /** Time since which the customer is blocked from paying; null otherwise. See the actions `block` and `unblock`. */
  readonly blocked_at: string | null;
  /** Time at which the customer was merged into `merged_into`; null otherwise. Nothing changes a merged customer, and nothing new can belong to it. */
  readonly merged_at: string | null;
  /** The merchant’s own data: at most 50 texts of up to 500 characters. Names have up to 40 letters, digits, dashes and underscores. An update replaces the whole object. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Time of creation. */
  readonly created_at: string;
  /** Time of the last change. */
  readonly updated_at: string;
}

/** A payment that the payer disputes through the bank. */
export interface DisputeAttributes {
  /** `needs_response` until evidence is submitted or the dispute is accepted. Without either by `evidence_due_at`, the dispute counts as accepted. */
  readonly status: 'needs_response' | 'under_review' | 'accepted' | 'won' | 'lost';
  /** Reason of the payer, as reported by the bank. */
  readonly reason: 'fraudulent' | 'product_not_received' | 'duplicate' | 'unrecognized' | 'general';
  /** Disputed amount in minor units, blocked until the bank decides. */
  readonly amount_cents: number;
  /** ISO 4217 code. */
  readonly amount_currency: string;
  /** Deadline for evidence. */
  readonly evidence_due_at: string;
  /** Why the processor refused the last response, and what to do; otherwise null. The dispute is `needs_response` again. */
  readonly response_problem: string | null;
  /** Time of the submission; null until then. */
  readonly submitted_at: string | null;
  /** Time of the bank’s latest decision; null until then. */
  readonly closed_at: string | null;
  /** Time of a second chargeback: the bank took the money again after it had returned it. The dispute is `lost`. Null without one. */
  readonly second_chargeback_at: string | null;
  /** The sold goods or services. */
  readonly product_description: string | null;
  /** Messages between you and the payer. */
  readonly customer_communication: string | null;
  /** Proof of shipping and delivery: carrier, tracking number, times. */
  readonly shipping_documentation: string | null;
  /** The refund policy that the payer accepted. */
  readonly refund_policy: string | null;
  /** Other evidence. In the sandbox, a dispute whose evidence contains `losing_evidence` is lost. Any other dispute is won. */
  readonly uncategorized_text: string | null;
  /** Time of creation. */
  readonly created_at: string;
  /** Time of the last change. */
  readonly updated_at: string;
}

/** A payment, from its creation to its outcome. */
export interface PaymentDemandAttributes {
  /** State of the payment. `incomplete` and `ready` are intents: they can change, and `ready` can be confirmed. `pending` is confirmed, `processing` was sent. `authorised` is held on the card. `succeeded`, `failed` and `canceled` are outcomes. `disputed` has an open dispute. `reversed`: lost disputes, with refunds, have used the complete amount. A payment that is only refunded stays `succeeded`: see `amount_refunded_cents`. `processor_state` and `status` are the same. */
  readonly processor_state: 'incomplete' | 'ready' | 'pending' | 'processing' | 'authorised' | 'succeeded' | 'failed' | 'canceled' | 'reversed' | 'disputed';
  /** State of the payment. `incomplete` and `ready` are intents: they can change, and `ready` can be confirmed. `pending` is confirmed, `processing` was sent. `authorised` is held on the card. `succeeded`, `failed` and `canceled` are outcomes. `disputed` has an open dispute. `reversed`: lost disputes, with refunds, have used the complete amount. A payment that is only refunded stays `succeeded`: see `amount_refunded_cents`. `processor_state` and `status` are the same. */
  readonly status: 'incomplete' | 'ready' | 'pending' | 'processing' | 'authorised' | 'succeeded' | 'failed' | 'canceled' | 'reversed' | 'disputed';
  /** Why it failed, a decline code: `generic_decline`, `insufficient_funds`, `lost_card`, `stolen_card`, `incorrect_cvc`, `always_blocked`, `highest_risk`, `customer_blocked`, `blocked`, `velocity_exceeded`, `expired_card`, `invalid_card`, `authentication_failed`, `cryptogram_missing`, `card_not_verified`, `merchant_held_back`, `subscription_cancelled`, `processor_unreachable`, `processor_timeout`. More may come. Null where it has not failed. */
  readonly failure_reason: string | null;
  /** `true` also confirms the payment, which then needs everything that a confirmation needs. Default: `false`. */
  readonly confirmed: boolean;
  /** Refunded minor units, without refunds in progress. */
  readonly amount_refunded_cents: number;
  /** Minor units that the bank approved; 0 until then. */
  readonly amount_authorised_cents: number;
  /** Minor units that were captured, by one capture or several. An `authorised` payment can still capture `amount_capturable_cents`. */
  readonly amount_captured_cents: number;
  /** Minor units of the hold that can still be captured: the authorised amount less captures. 0 in every state but `authorised`. */
  readonly amount_capturable_cents: number;
  /** Minor units that can still be refunded. For a `succeeded` payment: the captured amount less refunds, refunds in progress and lost disputes. 0 in every other state. */
  readonly amount_refundable_cents: number;
  /** Time at which the hold of an `authorised` payment lapses, seven days after the approval; null without a hold. The payment is then `canceled`, or `succeeded` if a part was captured. */
  readonly hold_expires_at: string | null;
  /** Reason of the cancellation: `hold_expired`, `requested`, or `paid_by_credit` for a failed charge of a subscription whose period was paid by credit. */
  readonly cancellation_reason: 'requested' | 'hold_expired' | 'paid_by_credit' | null;
  /** Time of the cancellation; null until then. */
  readonly canceled_at: string | null;
  /** `automatic` captures the amount with the authorisation. `manual` only holds the amount. One or several `capture_demands` records capture it later. */
  readonly capture_method: 'automatic' | 'manual';
  /** The party that starts the payment. `merchant` charges a saved card without its customer, 3-D Secure or security code. The payer must have made a payment with the card before, otherwise 422 `card_not_used_before`. Florin sends the network’s id of that payment. */
  readonly initiator: 'customer' | 'merchant';
  /** The way the order came. `telephone`: the payer said or wrote the card to you, so no 3-D Secure is possible. Processors get such a payment as mail order or telephone order (MOTO), which your account must allow. Ignored for charges by the merchant. */
  readonly sales_channel: 'online' | 'telephone';
  /** Amount to charge in minor units of the currency (cents of USD, yen of JPY). Line items are not added up. */
  readonly amount_cents: number;
  /** One of the merchant’s `accepted_currencies`. ISO 4217 code. */
  readonly amount_currency: string;
  /** Fee of the payment in minor units; 0 until it succeeds. By default 4 % of the captured amount, rounded half up, plus 5 minor units, at most the captured amount. Refunds and lost disputes do not return it. */
  readonly fee_cents: number;
  /** Description of the purchase in the merchant’s words. */
  readonly description: string | null;
  /** Makes a repeat safe: the same key with the same request is done once, for as long as the record exists. Unique per type. */
  readonly idempotency_key: string | null;
  /** Whether the payer gets a receipt by email for each successful payment. */
  readonly email_receipt: boolean;
  /** The merchant’s reference of the purchase. Required to confirm a payment. */
  readonly purchase_reference: string | null;
  /** Kind of the `purchase_reference`. Required to confirm a payment. */
  readonly purchase_kind: 'order' | 'invoice' | null;
  /** Discount in minor units, for information only. */
  readonly discount_cents: number | null;
  /** Line items in the currency of the purchase. An update replaces the whole list. */
  readonly line_items: readonly ({ readonly id: string | null; readonly name: string | null; readonly sku: string | null; readonly unit_of_measure: string | null; readonly description: string | null; readonly commodity_code: string | null; readonly quantity: number | null; readonly amount_cents: number | null; readonly amount_currency: string | null; readonly tax_cents: number | null; readonly tax_currency: string | null; readonly discount_cents: number | null; readonly discount_currency: string | null })[] | null;
  /** Shipping cost in the currency of the purchase. For information only. */
  readonly shipping_detail: { readonly shipping_cents: number | null; readonly shipping_currency: string | null } | null;
  /** Tax included, in the currency of the purchase. For information only. */
  readonly tax_detail: { readonly tax_cents: number | null; readonly tax_currency: string | null } | null;
  /** Time zone of the payer. Default: the time zone of the merchant. A zone of the IANA time zone database. */
  readonly payer_timezone: string | null;
  /** Version of 3-D Secure, such as `2.2.0`. The card form sets this. */
  readonly threeds_version: string | null;
  /** Result of 3-D Secure: `Y` authenticated, `A` attempted, `N` refused. Only the card form sets `wallet`: a wallet authenticated the cardholder. */
  readonly threeds_status: string | null;
  /** Origin of the 3-D Secure result: `verified` by Florin or a wallet, or `asserted` by the client that sent it. Null without a result, and in older records. */
  readonly threeds_source: 'verified' | 'asserted' | null;
  /** Cryptographic proof of the authentication. Sensitive: neither filterable nor sortable. */
  readonly threeds_cryptogram: string | null;
  /** Electronic commerce indicator, two digits: `05` authenticated (`02` Mastercard). */
  readonly eci: string | null;
  /** Id of the authentication at the network’s directory server, a UUID. */
  readonly directory_transaction_eid: string | null;
  /** Id of the authentication at the issuer’s server, a UUID. */
  readonly acs_transaction_eid: string | null;
  /** Result of the issuer’s check of the security code. */
  readonly cvc2_check: 'match' | 'mismatch' | 'unprocessed' | 'missing' | 'unavailable' | 'unresponsive';
  /** Result of the issuer’s check of the billing address’s first line. */
  readonly address_line1_verification: 'match' | 'mismatch' | 'retry' | 'unavailable' | 'unverified';
  /** Result of the issuer’s check of the postal code. */
  readonly postal_code_verification: 'match' | 'mismatch' | 'retry' | 'unavailable' | 'unverified';
  /** Reason of a subscription’s charge: `first`, `proration` for the time before the first full period, `renewal`, or `change`. Null for other payments. */
  readonly billing_reason: 'first' | 'proration' | 'renewal' | 'change' | null;
  /** Start of the period that a subscription’s charge pays for. */
  readonly period_start_at: string | null;
  /** End of that period. */
  readonly period_end_at: string | null;
  /** The rule that decided about the payment when it was last to be sent: `decision` and `rule`, with `kind` and `id` of the `risk_list_entries` or `velocity_limits`. The rules `…_mismatch` refuse after the approval, by `refused_mismatches` of the merchant. Null where none did. What was `allowed` was sent, and may have been declined all the same. */
  readonly risk_outcome: { readonly decision: 'refused' | 'allowed' | null; readonly rule: 'customer_blocked' | 'block_list' | 'sandbox_block_list' | 'allow_list' | 'velocity_limit' | 'score' | 'cvc_mismatch' | 'postal_code_mismatch' | 'address_mismatch' | null; readonly kind: string | null; readonly id: string | null } | null;
  /** Time of success; null until then. */
  readonly succeeded_at: string | null;
  /** The merchant’s own data: at most 50 texts of up to 500 characters. Names have up to 40 letters, digits, dashes and underscores. An update replaces the whole object. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Time of creation. */
  readonly created_at: string;
  /** Time of the last change. */
  readonly updated_at: string;
}

/** A card of a customer, stored by the vault. */
export interface PaymentMethodAttributes {
  /** Stands for the card number: from the browser SDK, or in the sandbox a test token such as `pan_test_visa`. Never a number. A create needs this attribute with `expiry_month` and `expiry_year`, or `network_token_jwe`. Sensitive: neither filterable nor sortable. */
  readonly card_pan_token: string;
  /** Token of the security code, in the sandbox `cvv_test`, for one authorisation within 15 minutes. Sensitive: neither filterable nor sortable. */
  readonly card_cvv_token: string | null;
  /** The customer’s name for the card. */
  readonly nickname: string | null;
  /** An internal note. */
  readonly description: string | null;
  /** First six digits of the card number. */
  readonly card_bin: string | null;
  /** Last four digits of the card number. */
  readonly last_four: string | null;
  /** The card’s network. */
  readonly kind: 'checking' | 'savings' | 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'elo' | 'hiper' | 'hipercard' | 'jcb' | 'maestro' | 'mir' | 'unionpay' | 'unknown';
  /** Result of the cardholder’s authentication. `confirmed` can pay, `failed` was refused by the issuer. `pending` waits for the issuer; payments with the card wait up to 15 minutes. `errored`: enter the card again. */
  readonly external_state: 'pending' | 'confirmed' | 'failed' | 'errored';
  /** Wallet of the card; null if it was typed. */
  readonly wallet: 'apple_pay' | 'google_pay' | null;
  /** Whether the number is a network token of the merchant. Each payment by the payer then needs a new payment method, with a new cryptogram. */
  readonly network_token: boolean;
  /** 1 to 12. Belongs to `card_pan_token`; `network_token_jwe` contains its own. */
  readonly expiry_month: number;
  /** Four digits, beside `expiry_month`. */
  readonly expiry_year: number;
  /** Time at which it was discarded; null while it is in use. */
  readonly discarded_at: string | null;
  /** Time of creation. */
  readonly created_at: string;
  /** Time of the last change. */
  readonly updated_at: string;
}

/** A recurring payment, from its creation to its end. */
export interface PaymentSubscriptionAttributes {
  /** `pending` until the first charge succeeds, or its retries end. A subscription confirmed with its create is `active` at once. `paused` bills nothing, `cancelled` has ended. */
  readonly status: 'pending' | 'active' | 'paused' | 'cancelled';
  /** `true` confirms the subscription with its create, which then needs an idempotency key and everything that a confirmation needs. False in an intent, which lists leave out. */
  readonly confirmed: boolean;
  /** Decline code of the last charge; null if it succeeded. */
  readonly failure_reason: string | null;
  /** Your name of the plan. Required for a confirmation. */
  readonly slug: string | null;
  /** Length of a period, in days or calendar months. Required for a confirmation. */
  readonly billing_period: 'one_day' | 'seven_days' | 'fourteen_days' | 'thirty_days' | 'one_month' | 'three_months' | 'six_months' | 'twelve_months' | null;
  /** The zone of the calendar that billing times are reckoned in: a charge keeps its time of the day there when clocks change. Fixed once it is confirmed. A zone of the IANA time zone database. */
  readonly billing_timezone: string;
  /** Start of the first full period; default: the confirmation, or the end of the trial. At most 10 years ahead; with `create_prorations` at most one billing period ahead. */
  readonly billing_cycle_anchor_at: string | null;
  /** Charge for the time before an anchor in the future: `create_prorations` charges its share at once, `none` charges nothing. The first full period is due at the anchor. */
  readonly proration_behavior: 'none' | 'create_prorations';
  /** One price for each period. */
  readonly billing_scheme: 'per_unit';
  /** Amount to charge in minor units of the currency (cents of USD, yen of JPY). Line items are not added up. */
  readonly amount_cents: number;
  /** One of the merchant’s `accepted_currencies`. ISO 4217 code. */
  readonly amount_currency: string;
  /** Fee of the payment in minor units; 0 until it succeeds. By default 4 % of the captured amount, rounded half up, plus 5 minor units, at most the captured amount. Refunds and lost disputes do not return it. */
  readonly fee_cents: number;
  /** Description of the purchase in the merchant’s words. */
  readonly description: string | null;
  /** Makes a repeat safe: the same key with the same request is done once, for as long as the record exists. Unique per type. */
  readonly idempotency_key: string | null;
  /** Whether the payer gets a receipt by email for each successful payment. */
  readonly email_receipt: boolean;
  /** The merchant’s reference of the purchase. Required to confirm a payment. */
  readonly purchase_reference: string | null;
  /** Kind of the `purchase_reference`. Required to confirm a payment. */
  readonly purchase_kind: 'order' | 'invoice' | null;
  /** Discount in minor units, for information only. */
  readonly discount_cents: number | null;
  /** Line items in the currency of the purchase. An update replaces the whole list. */
  readonly line_items: readonly ({ readonly id: string | null; readonly name: string | null; readonly sku: string | null; readonly unit_of_measure: string | null; readonly description: string | null; readonly commodity_code: string | null; readonly quantity: number | null; readonly amount_cents: number | null; readonly amount_currency: string | null; readonly tax_cents: number | null; readonly tax_currency: string | null; readonly discount_cents: number | null; readonly discount_currency: string | null })[] | null;
  /** Shipping cost in the currency of the purchase. For information only. */
  readonly shipping_detail: { readonly shipping_cents: number | null; readonly shipping_currency: string | null } | null;
  /** Tax included, in the currency of the purchase. For information only. */
  readonly tax_detail: { readonly tax_cents: number | null; readonly tax_currency: string | null } | null;
  /** Time zone of the payer. Default: the time zone of the merchant. A zone of the IANA time zone database. */
  readonly payer_timezone: string | null;
  /** Version of 3-D Secure, such as `2.2.0`. The card form sets this. */
  readonly threeds_version: string | null;
  /** Result of 3-D Secure: `Y` authenticated, `A` attempted, `N` refused. Only the card form sets `wallet`: a wallet authenticated the cardholder. */
  readonly threeds_status: string | null;
  /** Origin of the 3-D Secure result: `verified` by Florin or a wallet, or `asserted` by the client that sent it. Null without a result, and in older records. */
  readonly threeds_source: 'verified' | 'asserted' | null;
  /** Cryptographic proof of the authentication. Sensitive: neither filterable nor sortable. */
  readonly threeds_cryptogram: string | null;
  /** Electronic commerce indicator, two digits: `05` authenticated (`02` Mastercard). */
  readonly eci: string | null;
  /** Id of the authentication at the network’s directory server, a UUID. */
  readonly directory_transaction_eid: string | null;
  /** Id of the authentication at the issuer’s server, a UUID. */
  readonly acs_transaction_eid: string | null;
  /** Result of the issuer’s check of the security code. */
  readonly cvc2_check: 'match' | 'mismatch' | 'unprocessed' | 'missing' | 'unavailable' | 'unresponsive';
  /** Result of the issuer’s check of the billing address’s first line. */
  readonly address_line1_verification: 'match' | 'mismatch' | 'retry' | 'unavailable' | 'unverified';
  /** Result of the issuer’s check of the postal code. */
  readonly postal_code_verification: 'match' | 'mismatch' | 'retry' | 'unavailable' | 'unverified';
  /** Time of the next charge; null in an intent and after cancellation. While `past_due_since` is set, the failed charge comes first. */
  readonly next_billing_at: string | null;
  /** Start of the paid period. */
  readonly current_period_start_at: string | null;
  /** End of the paid period. */
  readonly current_period_end_at: string | null;
  /** End of the trial. Nothing is charged before it; a confirmation makes the subscription active. At most 10 years ahead. */
  readonly trial_end_at: string | null;
  /** Whether the subscription ends at `next_billing_at` without another charge. The value can be reverted until then. */
  readonly canceled_at_period_end: boolean;
  /** Time at which it is cancelled automatically, after any trial. The current period is charged in full. At most 10 years ahead. */
  readonly end_at: string | null;
  /** Maximum number of full periods. The subscription is cancelled when the last one ends. */
  readonly charges_max: number | null;
  /** Number of full periods that were charged or paid by credit. A period with a failed charge does not count until it is sent again. */
  readonly charges_count: number;
  /** Credit in minor units, which reduces later charges; a change of the subscription created it. A negative credit is owed and is added to the next charge. */
  readonly credit_cents: number;
  /** Time since which a renewal is past due; null otherwise. Nothing else is charged until it is paid or its retries end. `sort=past_due_since` lists the oldest first. */
  readonly past_due_since: string | null;
  /** Time of the next attempt to charge a past due amount. Null if an attempt cannot succeed before the card is changed. */
  readonly next_attempt_at: string | null;
  /** Deprecated name of `next_attempt_at`. */
  readonly next_try_at: string | null;
  /** Time at which the retries end and `dunning_final_action` of the merchant applies. A `pending` subscription ends then. */
  readonly dunning_ends_at: string | null;
  /** Email for notices about the subscription; default: the payer’s. */
  readonly subscription_notification_email: string | null;
  /** Whether the payer gets a notice one week before a charge. Periods under two weeks have none. */
  readonly alert_receipt: boolean;
  /** Time of the cancellation; null until then. */
  readonly canceled_at: string | null;
  /** Reason of the cancellation; null until then. `merchant` or `customer` requested it. `unpaid` and `first_charge_unpaid`: retries ended. `end_at` or `charges_max`: the limit was reached. */
  readonly end_reason: 'merchant' | 'customer' | 'unpaid' | 'first_charge_unpaid' | 'end_at' | 'charges_max' | null;
  /** Left out of the record until it is confirmed. */
  readonly last_processed_at?: string | null;
  /** Left out of the record until it is confirmed. */
  readonly last_active_at?: string | null;
  /** Left out of the record until it is confirmed. */
  readonly last_paused_at?: string | null;
  /** Time of creation. */
  readonly created_at: string;
  /** Time of the last change. */
  readonly updated_at: string;
}

/** The refund of a payment to the payer. */
export interface RefundDemandAttributes {
  /** `pending` has reserved its amount, `processing` was sent. `failed` releases the amount. `state` and `status` are the same. */
  readonly state: 'pending' | 'processing' | 'succeeded' | 'failed';
  /** `pending` has reserved its amount, `processing` was sent. `failed` releases the amount. `state` and `status` are the same. */
  readonly status: 'pending' | 'processing' | 'succeeded' | 'failed';
  /** Reason for the refund. */
  readonly reason: 'service_not_delivered' | 'duplicate_charge' | 'unauthorized_transaction' | 'technical_issue' | 'customer_canceled' | 'dissatisfied_experience' | 'compliance_issue' | 'custom';
  /** Free text about the reason. */
  readonly reason_note: string | null;
  /** Minor units in the payment’s currency; default: the refundable rest of the payment. */
  readonly amount_cents: number | null;
  /** The currency of the payment. Another currency is refused. ISO 4217 code. */
  readonly amount_currency: string | null;
  /** Makes a repeat safe: the same key with the same refund is done once. With another payment, amount, reason or note the answer is 422 `refund_key_reused`. Unique per type. */
  readonly idempotency_key: string | null;
  /** The merchant’s own data: at most 50 texts of up to 500 characters. Names have up to 40 letters, digits, dashes and underscores. An update replaces the whole object. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Reason of a failure: `refund_declined` by the bank or the network, `processor_unreachable`, or `payment_disputed`. Null otherwise. */
  readonly failure_reason: string | null;
  /** Time of success; null until then. */
  readonly succeeded_at: string | null;
  /** Time of creation. */
  readonly created_at: string;
  /** Time of the last change. */
  readonly updated_at: string;
}

/** A difference between the settlement of a processor and the ledger. */
export interface SettlementExceptionAttributes {
  /** Set `resolved` with a `resolution_note` after you find the cause. A resolved exception does not change. No money moves. */
  readonly status: 'open' | 'resolved';
  /** The cause and the action taken. Required to resolve the exception. */
  readonly resolution_note: string | null;
  /** Time of resolution; null until then. */
  readonly resolved_at: string | null;
  /** `missing_in_file`: the processor did not settle an expected amount. `missing_here`: the ledger does not know the amount. `amount_differs` and `currency_differs`: values differ. `duplicate`: it was settled before. `reversed`: the processor took back an earlier capture or refund. `outcome_unknown`: it settled a payment whose outcome is unknown here. None of these is settled in the ledger. */
  readonly kind: 'missing_in_file' | 'missing_here' | 'amount_differs' | 'currency_differs' | 'duplicate' | 'reversed' | 'outcome_unknown';
  /** Kind of the entry. A `dispute` was lost or charged back. */
  readonly entry: 'capture' | 'refund' | 'dispute';
  /** Day (UTC) of the settlement file, or on which Florin read the settlement report. */
  readonly settled_on: string;
  /** Reference of the entry at the processor. */
  readonly processor_reference: string;
  /** Minor units in the ledger; null if it has no entry. */
  readonly expected_cents: number | null;
  /** Minor units in the file; null if it has no entry. */
  readonly found_cents: number | null;
  /** Currency of the file, or of the ledger if the file lacks the entry. ISO 4217 code. */
  readonly amount_currency: string;
  /** Time of creation. */
  readonly created_at: string;
  /** Time of the last change. */
  readonly updated_at: string;
}

/** A URL that receives events. */
export interface WebhookSubscriptionAttributes {
  /** URL that receives the deliveries. Live mode needs https and a public host. The sandbox also allows your own machine, unless the operator has set `FLORIN_SANDBOX_WEBHOOKS` to `public`. */
  readonly url: string;
  /** Purpose of the webhook, in at least 10 characters. */
  readonly description: string | null;
  /** Codes of the events to send. `*` stands for all events, `transaction.*` for a group, `transaction.refund_demands.*` for a type. Wildcards include future events. The key must be able to read every listed type. A URL can have only one subscription with the same codes. */
  readonly events: readonly ('transaction.payment_demands.created' | 'transaction.payment_demands.updated' | 'transaction.payment_demands.succeeded' | 'transaction.payment_demands.failed' | 'transaction.payment_demands.refunded' | 'transaction.payment_demands.disputed' | 'transaction.capture_demands.created' | 'transaction.capture_demands.updated' | 'transaction.capture_demands.succeeded' | 'transaction.capture_demands.failed' | 'transaction.refund_demands.created' | 'transaction.refund_demands.updated' | 'transaction.refund_demands.succeeded' | 'transaction.refund_demands.failed' | 'transaction.disputes.created' | 'transaction.disputes.updated' | 'transaction.disputes.won' | 'transaction.disputes.lost' | 'transaction.payment_subscriptions.created' | 'transaction.payment_subscriptions.updated' | 'transaction.payment_subscriptions.upcoming' | 'transaction.payment_subscriptions.past_due' | 'transaction.payment_subscriptions.recovered' | 'transaction.payment_subscriptions.unpaid' | 'transaction.payment_subscriptions.paused' | 'transaction.payment_subscriptions.resumed' | 'transaction.payment_subscriptions.cancelled' | 'consumer.customers.created' | 'consumer.customers.updated' | 'consumer.customers.merged' | 'consumer.addresses.created' | 'consumer.addresses.updated' | 'consumer.payment_methods.created' | 'consumer.payment_methods.updated' | 'transaction.settlement_exceptions.created' | 'transaction.settlement_exceptions.resolved' | '*' | 'transaction.*' | 'transaction.payment_demands.*' | 'transaction.capture_demands.*' | 'transaction.refund_demands.*' | 'transaction.disputes.*' | 'transaction.payment_subscriptions.*' | 'consumer.*' | 'consumer.customers.*' | 'consumer.addresses.*' | 'consumer.payment_methods.*' | 'transaction.settlement_exceptions.*')[];
  /** The mode of the key. Another mode is refused. */
  readonly mode: 'live' | 'sandbox';
  /** Maximum number of concurrent deliveries. */
  readonly concurrency_limit: number;
  /** `resource` sends an event of a record only after the previous event of that record is delivered or given up. Other records do not wait. */
  readonly ordering: 'none' | 'resource';
  /** `paused` stops sending. Events wait until the subscription is `active` again: for 30 days, and the newest 100,000. Older ones become `stopped`. `archived` is final: pending deliveries become `stopped`, lists omit the subscription, and the rest of the update is ignored. */
  readonly status: 'active' | 'paused' | 'archived';
  /** Signs deliveries. Shown to keys and people with `developer.webhook_subscriptions.update`, who can rotate it, and in the response to a create. Null where the server has lost the key that it is kept under: `rotate_secret` makes a new one. Sensitive: neither filterable nor sortable. */
  readonly secret_key: string | null;
  /** Time until which deliveries are also signed with the previous secret. */
  readonly previous_secret_expires_at: string | null;
  /** Reason of the pause: `failing` after five days and ten attempts without an accepted delivery. Null otherwise. */
  readonly paused_reason: 'merchant' | 'failing' | null;
  /** Time since which no delivery was accepted. */
  readonly failing_since: string | null;
  /** Time until which a suspension lasts, after five failures in a row. `test`, `redeliver`, another `url` and `status` from `paused` to `active` end it at once. */
  readonly suspended_until: string | null;
  /** Time of archiving; null until then. */
  readonly archived_at: string | null;
  /** Time of creation. */
  readonly created_at: string;
  /** Time of the last change. */
  readonly updated_at: string;
}

/** A record as it was at the time of an event. */
export interface Snapshot<Type extends string, Attributes> {
  readonly id: string;
  readonly type: Type;
  readonly attributes: Attributes;
}

/** The record that each kind of event shows, by its code. */
export interface Snapshots {
  readonly 'transaction.capture_demands.created': Snapshot<'capture_demands', CaptureDemandAttributes>;
  readonly 'transaction.capture_demands.updated': Snapshot<'capture_demands', CaptureDemandAttributes>;
  readonly 'transaction.capture_demands.succeeded': Snapshot<'capture_demands', CaptureDemandAttributes>;
  readonly 'transaction.capture_demands.failed': Snapshot<'capture_demands', CaptureDemandAttributes>;
  readonly 'consumer.addresses.created': Snapshot<'consumer_addresses', ConsumerAddressAttributes>;
  readonly 'consumer.addresses.updated': Snapshot<'consumer_addresses', ConsumerAddressAttributes>;
  readonly 'consumer.customers.created': Snapshot<'customers', CustomerAttributes>;
  readonly 'consumer.customers.updated': Snapshot<'customers', CustomerAttributes>;
  readonly 'consumer.customers.merged': Snapshot<'customers', CustomerAttributes>;
  readonly 'transaction.disputes.created': Snapshot<'disputes', DisputeAttributes>;
  readonly 'transaction.disputes.updated': Snapshot<'disputes', DisputeAttributes>;
  readonly 'transaction.disputes.won': Snapshot<'disputes', DisputeAttributes>;
  readonly 'transaction.disputes.lost': Snapshot<'disputes', DisputeAttributes>;
  readonly 'transaction.payment_demands.created': Snapshot<'payment_demands', PaymentDemandAttributes>;
  readonly 'transaction.payment_demands.updated': Snapshot<'payment_demands', PaymentDemandAttributes>;
  readonly 'transaction.payment_demands.succeeded': Snapshot<'payment_demands', PaymentDemandAttributes>;
  readonly 'transaction.payment_demands.failed': Snapshot<'payment_demands', PaymentDemandAttributes>;
  readonly 'transaction.payment_demands.refunded': Snapshot<'payment_demands', PaymentDemandAttributes>;
  readonly 'transaction.payment_demands.disputed': Snapshot<'payment_demands', PaymentDemandAttributes>;
  readonly 'consumer.payment_methods.created': Snapshot<'payment_methods', PaymentMethodAttributes>;
  readonly 'consumer.payment_methods.updated': Snapshot<'payment_methods', PaymentMethodAttributes>;
  readonly 'transaction.payment_subscriptions.created': Snapshot<'payment_subscriptions', PaymentSubscriptionAttributes>;
  readonly 'transaction.payment_subscriptions.updated': Snapshot<'payment_subscriptions', PaymentSubscriptionAttributes>;
  readonly 'transaction.payment_subscriptions.upcoming': Snapshot<'payment_subscriptions', PaymentSubscriptionAttributes>;
  readonly 'transaction.payment_subscriptions.past_due': Snapshot<'payment_subscriptions', PaymentSubscriptionAttributes>;
  readonly 'transaction.payment_subscriptions.recovered': Snapshot<'payment_subscriptions', PaymentSubscriptionAttributes>;
  readonly 'transaction.payment_subscriptions.unpaid': Snapshot<'payment_subscriptions', PaymentSubscriptionAttributes>;
  readonly 'transaction.payment_subscriptions.paused': Snapshot<'payment_subscriptions', PaymentSubscriptionAttributes>;
  readonly 'transaction.payment_subscriptions.resumed': Snapshot<'payment_subscriptions', PaymentSubscriptionAttributes>;
  readonly 'transaction.payment_subscriptions.cancelled': Snapshot<'payment_subscriptions', PaymentSubscriptionAttributes>;
  readonly 'transaction.refund_demands.created': Snapshot<'refund_demands', RefundDemandAttributes>;
  readonly 'transaction.refund_demands.updated': Snapshot<'refund_demands', RefundDemandAttributes>;
  readonly 'transaction.refund_demands.succeeded': Snapshot<'refund_demands', RefundDemandAttributes>;
  readonly 'transaction.refund_demands.failed': Snapshot<'refund_demands', RefundDemandAttributes>;
  readonly 'transaction.settlement_exceptions.created': Snapshot<'settlement_exceptions', SettlementExceptionAttributes>;
  readonly 'transaction.settlement_exceptions.resolved': Snapshot<'settlement_exceptions', SettlementExceptionAttributes>;
  readonly 'developer.webhook_subscriptions.tested': Snapshot<'webhook_subscriptions', WebhookSubscriptionAttributes>;
}
