// Made by `npm run openapi` from the definitions of the records; do not edit.

export interface EventAttributes {
  /** The mode of the record that it is about. */
  readonly mode: 'live' | 'sandbox';
  /** What it is about, with its group: `transaction.payment_demands`. Together with `slug` it is the code that webhook subscriptions list. */
  readonly resource_type: string;
  /** Id of the record that it is about. */
  readonly resource_id: string;
  /** What happened, in one word: `succeeded`. */
  readonly slug: string;
  /** Its place among the events of its record: 1, 2, 3, without gaps. */
  readonly sequence: number;
  /** When it happened: by the clock of the sandbox where that was moved. */
  readonly created_at: string;
  /** When it was stored, by the clock of the database: who follows the log reads it by this. Transactions become visible in another order, so that the last minute has to be read again. */
  readonly recorded_at: string;
}

/** The capture of an amount that is held on a card. */
export interface CaptureDemandAttributes {
  /** `pending` is accepted, `processing` was sent; after `failed` the hold is as it was before. */
  readonly status: 'pending' | 'processing' | 'succeeded' | 'failed';
  /** Minor units of the payment’s currency; all that is held where it is not set. A payment is captured once: what is left of the hold is let go. */
  readonly amount_cents: number | null;
  /** The currency of the payment. Another currency is refused. ISO 4217 code. */
  readonly amount_currency: string | null;
  /** The same key with the same request makes nothing twice; with another one it is 409 `idempotency_conflict`. Counted per type. */
  readonly idempotency_key: string | null;
  /** The merchant’s own data: at most 50 texts of up to 500 characters. Names have up to 40 letters, digits, dashes and underscores. An update replaces the whole object. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Why it failed: `capture_declined` by the payer’s bank or the network, `processor_unreachable` where it never got there. Null where it has not failed. */
  readonly failure_reason: string | null;
  /** When it was collected; null until then. */
  readonly succeeded_at: string | null;
  /** When it was made. */
  readonly created_at: string;
  /** When it last changed. */
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
  /** When it was taken out of use; null while it is in use. */
  readonly discarded_at: string | null;
  /** When it was made. */
  readonly created_at: string;
  /** When it last changed. */
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
  /** Since when the customer is barred from paying, see the actions `block` and `unblock`; null while it may pay. */
  readonly blocked_at: string | null;
  /** The merchant’s own data: at most 50 texts of up to 500 characters. Names have up to 40 letters, digits, dashes and underscores. An update replaces the whole object. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** When it was made. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
}

/** A payment that the payer disputes through the bank. */
export interface DisputeAttributes {
  /** `needs_response` until evidence is submitted or the dispute is accepted; without either by `evidence_due_at` it counts as accepted. */
  readonly status: 'needs_response' | 'under_review' | 'accepted' | 'won' | 'lost';
  /** Why the payer wants it back, as the bank says. */
  readonly reason: 'fraudulent' | 'product_not_received' | 'duplicate' | 'unrecognized' | 'general';
  /** Minor units that are disputed. They are held back until the bank has decided. */
  readonly amount_cents: number;
  /** ISO 4217 code. */
  readonly amount_currency: string;
  /** Until when evidence can be submitted. */
  readonly evidence_due_at: string;
  /** When evidence was submitted. */
  readonly submitted_at: string | null;
  /** When the bank had decided. */
  readonly closed_at: string | null;
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
  /** When it was made. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
}

/** A payment, from its creation to its outcome. */
export interface PaymentDemandAttributes {
  /** `incomplete` and `ready` are intents, which can be changed; `ready` has all that a confirmation needs. `pending` is confirmed, `processing` was sent, `succeeded` and `failed` are its outcomes. `authorised`, with `capture_method` `manual`, holds the amount on the card until it is captured, voided or lapses, which is `canceled`. `disputed` means that a dispute of it is open. `reversed` means that lost disputes and refunds leave nothing of it. `processor_state` and `status` are the same. */
  readonly processor_state: 'incomplete' | 'ready' | 'pending' | 'processing' | 'authorised' | 'succeeded' | 'failed' | 'canceled' | 'reversed' | 'disputed';
  /** `incomplete` and `ready` are intents, which can be changed; `ready` has all that a confirmation needs. `pending` is confirmed, `processing` was sent, `succeeded` and `failed` are its outcomes. `authorised`, with `capture_method` `manual`, holds the amount on the card until it is captured, voided or lapses, which is `canceled`. `disputed` means that a dispute of it is open. `reversed` means that lost disputes and refunds leave nothing of it. `processor_state` and `status` are the same. */
  readonly status: 'incomplete' | 'ready' | 'pending' | 'processing' | 'authorised' | 'succeeded' | 'failed' | 'canceled' | 'reversed' | 'disputed';
  /** Why it failed, a decline code: `generic_decline`, `insufficient_funds`, `lost_card`, `stolen_card`, `incorrect_cvc`, `always_blocked`, `highest_risk`, `customer_blocked`, `blocked`, `velocity_exceeded`, `expired_card`, `invalid_card`, `authentication_failed`, `card_not_verified`, `merchant_held_back`, `subscription_cancelled`, `processor_unreachable`, `processor_timeout`. More may come. Null where it has not failed. */
  readonly failure_reason: string | null;
  /** `true` also confirms the payment, which then needs everything that a confirmation needs. Default: `false`. */
  readonly confirmed: boolean;
  /** Minor units that refunds have given back; refunds under way are not counted. */
  readonly amount_refunded_cents: number;
  /** Minor units that the bank has approved; 0 until it has. */
  readonly amount_authorised_cents: number;
  /** Minor units that were collected from the card. */
  readonly amount_captured_cents: number;
  /** Minor units that can still be refunded: of a `succeeded` payment what was captured, less refunds that succeeded or are under way and disputes that were lost; 0 of any other, such as one that is `disputed`. */
  readonly amount_refundable_cents: number;
  /** When an `authorised` payment lets go of its hold by itself, seven days after the approval; null without a hold. */
  readonly hold_expires_at: string | null;
  /** Why it is `canceled`, or is going to be: a hold that lapsed, a request, or a failed charge of a subscription whose period its credit has paid. */
  readonly cancellation_reason: 'requested' | 'hold_expired' | 'paid_by_credit' | null;
  /** When it was canceled; null until then. */
  readonly canceled_at: string | null;
  /** `automatic` captures the amount with the authorisation. `manual` only holds the amount. A `capture_demands` record captures it later. */
  readonly capture_method: 'automatic' | 'manual';
  /** The party that starts the payment. `merchant` charges a saved card without its customer, 3-D Secure or security code. The payer must have made a payment with the card before, otherwise 422 `card_not_used_before`. Florin sends the network’s id of that payment. */
  readonly initiator: 'customer' | 'merchant';
  /** What is charged, in minor units of the currency (cents of USD, yen of JPY). Line items are never added up. */
  readonly amount_cents: number;
  /** One of the merchant’s `accepted_currencies`. ISO 4217 code. */
  readonly amount_currency: string;
  /** Minor units that the payment costs its merchant; 0 until it has succeeded. Where the operator has set no other plan it is 4 % of what was captured, rounded half up, and 5 minor units of the currency, and never more than what was captured. Refunds and lost disputes do not give it back. */
  readonly fee_cents: number;
  /** Description of the purchase in the merchant’s words. */
  readonly description: string | null;
  /** The same key with the same request makes nothing twice, for as long as the record is there. Counted per type. */
  readonly idempotency_key: string | null;
  /** Whether the payer gets a receipt by email for each successful payment. */
  readonly email_receipt: boolean;
  /** The merchant’s reference of the purchase. Required to confirm a payment. */
  readonly purchase_reference: string | null;
  /** Kind of the `purchase_reference`. Required to confirm a payment. */
  readonly purchase_kind: 'order' | 'invoice' | null;
  /** What was taken off, in minor units; for the record, `amount_cents` is what is charged. */
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
  /** Cryptographic proof of the authentication. Sensitive: neither filterable nor sortable. */
  readonly threeds_cryptogram: string | null;
  /** Electronic commerce indicator, two digits: `05` authenticated (`02` Mastercard). */
  readonly eci: string | null;
  /** Id of the authentication at the network’s directory server, a UUID. */
  readonly directory_transaction_eid: string | null;
  /** Id of the authentication at the issuer’s server, a UUID. */
  readonly acs_transaction_eid: string | null;
  /** What the issuer said of the security code. */
  readonly cvc2_check: 'match' | 'mismatch' | 'unprocessed' | 'missing' | 'unavailable' | 'unresponsive';
  /** What the issuer said of the billing address’s first line. */
  readonly address_line1_verification: 'match' | 'mismatch' | 'retry' | 'unavailable' | 'unverified';
  /** What the issuer said of its postal code. */
  readonly postal_code_verification: 'match' | 'mismatch' | 'retry' | 'unavailable' | 'unverified';
  /** Of a charge of a subscription: its `first`, until one is paid; a `proration` for the time until its first full period; a `renewal`; or what a `change` of it costs at once. */
  readonly billing_reason: 'first' | 'proration' | 'renewal' | 'change' | null;
  /** From when on the period runs that a charge of a subscription pays for. */
  readonly period_start_at: string | null;
  /** Until when that period runs. */
  readonly period_end_at: string | null;
  /** The rule that decided about the payment when it was last to be sent: `decision` and `rule`, with `kind` and `id` of the `risk_list_entries` or `velocity_limits`. Null where none did. What was `allowed` was sent, and may have been declined all the same. */
  readonly risk_outcome: { readonly decision: 'refused' | 'allowed' | null; readonly rule: 'customer_blocked' | 'block_list' | 'sandbox_block_list' | 'allow_list' | 'velocity_limit' | 'score' | null; readonly kind: string | null; readonly id: string | null } | null;
  /** When the payment succeeded; null until then. */
  readonly succeeded_at: string | null;
  /** The merchant’s own data: at most 50 texts of up to 500 characters. Names have up to 40 letters, digits, dashes and underscores. An update replaces the whole object. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** When it was made. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
}

/** A card of a customer, stored by the vault. */
export interface PaymentMethodAttributes {
  /** Stands for the card number: from the browser SDK, or in the sandbox a test token such as `pan_test_visa`. Never a number. Sensitive: neither filterable nor sortable. */
  readonly card_pan_token: string;
  /** Stands for the security code, in the sandbox `cvv_test`. It serves one authorisation within 15 minutes. Sensitive: neither filterable nor sortable. */
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
  /** What the authentication of the cardholder came to: `confirmed` can pay, `failed` was refused by the issuer. `pending` waits for the issuer’s answer: where the issuer could not be asked, payments with the card wait up to 15 minutes, and it is asked again. `errored` is a card form’s check that broke off: enter the card again. */
  readonly external_state: 'pending' | 'confirmed' | 'failed' | 'errored';
  /** The wallet that gave the card; null where it was typed. */
  readonly wallet: 'apple_pay' | 'google_pay' | null;
  /** 1 to 12. */
  readonly expiry_month: number;
  /** Four digits. */
  readonly expiry_year: number;
  /** When it was taken out of use, with `discard`; null while it is in use. */
  readonly discarded_at: string | null;
  /** When it was made. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
}

/** A recurring payment, from its creation to its end. */
export interface PaymentSubscriptionAttributes {
  /** `pending` until its first charge succeeds, or for `dunning_days` of the merchant after it failed; one that is confirmed with its create is `active` at once, and past due where that charge fails. `paused` bills nothing, `cancelled` is the end. */
  readonly status: 'pending' | 'active' | 'paused' | 'cancelled';
  /** `true` confirms the subscription with its create, which then needs an idempotency key and all that a confirmation needs. False in an intent, which lists leave out. */
  readonly confirmed: boolean;
  /** Why its last charge failed: a decline code; null where it succeeded. */
  readonly failure_reason: string | null;
  /** The merchant’s name of the plan; needed to confirm. */
  readonly slug: string | null;
  /** How much time one charge pays for, in days or in months of the calendar; needed to confirm. */
  readonly billing_period: 'one_day' | 'seven_days' | 'fourteen_days' | 'thirty_days' | 'one_month' | 'six_months' | 'twelve_months' | null;
  /** The zone of the calendar that billing times are reckoned in: a charge keeps its time of the day there when clocks change. Fixed once it is confirmed. A zone of the IANA time zone database. */
  readonly billing_timezone: string;
  /** From when billing periods are counted; the time of the confirmation, or the end of the trial, where it is not set. At most 10 years from now; with `create_prorations` at most one billing period ahead. */
  readonly billing_cycle_anchor_at: string | null;
  /** With an anchor ahead: `create_prorations` charges the share of a period until then at once, `none` charges nothing before the anchor. The first full period is due at the anchor, also where the share is paid later. */
  readonly proration_behavior: 'none' | 'create_prorations';
  /** One price for each period. */
  readonly billing_scheme: 'per_unit';
  /** What is charged, in minor units of the currency (cents of USD, yen of JPY). Line items are never added up. */
  readonly amount_cents: number;
  /** One of the merchant’s `accepted_currencies`. ISO 4217 code. */
  readonly amount_currency: string;
  /** Minor units that the payment costs its merchant; 0 until it has succeeded. Where the operator has set no other plan it is 4 % of what was captured, rounded half up, and 5 minor units of the currency, and never more than what was captured. Refunds and lost disputes do not give it back. */
  readonly fee_cents: number;
  /** Description of the purchase in the merchant’s words. */
  readonly description: string | null;
  /** The same key with the same request makes nothing twice, for as long as the record is there. Counted per type. */
  readonly idempotency_key: string | null;
  /** Whether the payer gets a receipt by email for each successful payment. */
  readonly email_receipt: boolean;
  /** The merchant’s reference of the purchase. Required to confirm a payment. */
  readonly purchase_reference: string | null;
  /** Kind of the `purchase_reference`. Required to confirm a payment. */
  readonly purchase_kind: 'order' | 'invoice' | null;
  /** What was taken off, in minor units; for the record, `amount_cents` is what is charged. */
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
  /** Cryptographic proof of the authentication. Sensitive: neither filterable nor sortable. */
  readonly threeds_cryptogram: string | null;
  /** Electronic commerce indicator, two digits: `05` authenticated (`02` Mastercard). */
  readonly eci: string | null;
  /** Id of the authentication at the network’s directory server, a UUID. */
  readonly directory_transaction_eid: string | null;
  /** Id of the authentication at the issuer’s server, a UUID. */
  readonly acs_transaction_eid: string | null;
  /** What the issuer said of the security code. */
  readonly cvc2_check: 'match' | 'mismatch' | 'unprocessed' | 'missing' | 'unavailable' | 'unresponsive';
  /** What the issuer said of the billing address’s first line. */
  readonly address_line1_verification: 'match' | 'mismatch' | 'retry' | 'unavailable' | 'unverified';
  /** What the issuer said of its postal code. */
  readonly postal_code_verification: 'match' | 'mismatch' | 'retry' | 'unavailable' | 'unverified';
  /** When the next charge is due; null in an intent, and once it is cancelled. While `past_due_since` is set, the charge that failed comes first. */
  readonly next_billing_at: string | null;
  /** From when the period that is paid for runs. */
  readonly current_period_start_at: string | null;
  /** Until when the period that is paid for runs. */
  readonly current_period_end_at: string | null;
  /** Nothing is charged before it: a confirmation makes the subscription active, and its first charge is due then. With an anchor before it, `create_prorations` charges then the share of the period that runs, `none` nothing before the next one. At most 10 years from now. */
  readonly trial_end_at: string | null;
  /** That it is to be cancelled at `next_billing_at` and not charged again. It can be taken back until then. */
  readonly canceled_at_period_end: boolean;
  /** When it is cancelled by itself, after any trial. The period that runs then was charged in full. At most 10 years from now. */
  readonly end_at: string | null;
  /** How many full periods are charged; it is cancelled when the last one is over. */
  readonly charges_max: number | null;
  /** How many full periods were charged by now, or paid from `credit_cents`; one whose charge has failed does not count until that is sent again. */
  readonly charges_count: number;
  /** Minor units that later charges are less: what a change of the subscription left over. What a charge used of it comes back when that fails, and is used anew when it is sent again. Less than 0 is owed: under 10 is too little for a charge, and is added to the next one. */
  readonly credit_cents: number;
  /** Since when the charge of a renewal keeps failing; null where it does not. Nothing else is charged until it is paid or given up. `sort=past_due_since` lists those that fail longest first. */
  readonly past_due_since: string | null;
  /** Time of the next attempt to charge a past due amount. Null if an attempt cannot succeed before the card is changed. */
  readonly next_attempt_at: string | null;
  /** Deprecated name of `next_attempt_at`. */
  readonly next_try_at: string | null;
  /** When a charge that keeps failing is given up, and what the merchant’s `dunning_final_action` says is done. One that is `pending` ends then. */
  readonly dunning_ends_at: string | null;
  /** Where notices about the subscription go, where not to the payer. */
  readonly subscription_notification_email: string | null;
  /** Whether the payer is told of a charge a week before it; of those of periods under two weeks nobody is told. */
  readonly alert_receipt: boolean;
  /** When it was cancelled; null until then. */
  readonly canceled_at: string | null;
  /** Why it was cancelled; null until then. `merchant` or `customer` asked for it, at once or with the period. `unpaid`: a charge was given up; `first_charge_unpaid`: nothing was ever paid. `end_at` had come, or the last of `charges_max` periods was over. */
  readonly end_reason: 'merchant' | 'customer' | 'unpaid' | 'first_charge_unpaid' | 'end_at' | 'charges_max' | null;
  /** Left out of the record until it is confirmed. */
  readonly last_processed_at?: string | null;
  /** Left out of the record until it is confirmed. */
  readonly last_active_at?: string | null;
  /** Left out of the record until it is confirmed. */
  readonly last_paused_at?: string | null;
  /** When it was made. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
}

/** The refund of a payment to the payer. */
export interface RefundDemandAttributes {
  /** `pending` has reserved its amount, `processing` was sent; `failed` gives the amount free again. `state` and `status` are the same. */
  readonly state: 'pending' | 'processing' | 'succeeded' | 'failed';
  /** `pending` has reserved its amount, `processing` was sent; `failed` gives the amount free again. `state` and `status` are the same. */
  readonly status: 'pending' | 'processing' | 'succeeded' | 'failed';
  /** Reason for the refund. */
  readonly reason: 'service_not_delivered' | 'duplicate_charge' | 'unauthorized_transaction' | 'technical_issue' | 'customer_canceled' | 'dissatisfied_experience' | 'compliance_issue' | 'custom';
  /** Free text about the reason. */
  readonly reason_note: string | null;
  /** Minor units of the payment’s currency; all that is left of the payment where it is not set. */
  readonly amount_cents: number | null;
  /** The currency of the payment. Another currency is refused. ISO 4217 code. */
  readonly amount_currency: string | null;
  /** The same key with the same refund makes nothing twice; with another payment, amount, reason or note it is 422 `refund_key_reused`. A repeat without an amount means any. Counted per type. */
  readonly idempotency_key: string | null;
  /** The merchant’s own data: at most 50 texts of up to 500 characters. Names have up to 40 letters, digits, dashes and underscores. An update replaces the whole object. */
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Why it failed: `refund_declined` by the payer’s bank or the network, `processor_unreachable` where it never got there, `payment_disputed` where the payer had asked the bank for the money before it was sent. Null where it has not failed. */
  readonly failure_reason: string | null;
  /** When the money went back; null until then. */
  readonly succeeded_at: string | null;
  /** When it was made. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
}

/** A difference between the settlement of a processor and the ledger. */
export interface SettlementExceptionAttributes {
  /** Set `resolved` with a `resolution_note` after you find the cause. A resolved exception does not change. No money moves. */
  readonly status: 'open' | 'resolved';
  /** The cause and the action taken. Required to resolve the exception. */
  readonly resolution_note: string | null;
  /** When it was resolved; null until then. */
  readonly resolved_at: string | null;
  /** `missing_in_file`: the processor has not settled what it should have. `missing_here`: it has settled what the ledger does not know. `amount_differs`, `currency_differs`: it has settled otherwise. `duplicate`: it has settled it before. None of these is settled in the ledger. */
  readonly kind: 'missing_in_file' | 'missing_here' | 'amount_differs' | 'currency_differs' | 'duplicate';
  /** What it is about. A `dispute` is one that was lost. */
  readonly entry: 'capture' | 'refund' | 'dispute';
  /** The day of the settlement file, in UTC. */
  readonly settled_on: string;
  /** The name of the entry at the processor. */
  readonly processor_reference: string;
  /** Minor units in the ledger; null where it has none. */
  readonly expected_cents: number | null;
  /** Minor units in the file; null where it has none. */
  readonly found_cents: number | null;
  /** That of the file; of what is missing in it, that of the ledger. ISO 4217 code. */
  readonly amount_currency: string;
  /** When it was made. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
}

/** A URL that receives events. */
export interface WebhookSubscriptionAttributes {
  /** URL that receives the deliveries. Live mode needs https and a public host. The sandbox also allows your own machine, unless the operator has set `FLORIN_SANDBOX_WEBHOOKS` to `public`. */
  readonly url: string;
  /** Purpose of the webhook. */
  readonly description: string | null;
  /** Codes of the events to send. `*` stands for all events, `transaction.*` for a group, `transaction.refund_demands.*` for a type. Wildcards include future events. The key must be able to read every listed type. A URL can have only one subscription with the same codes. */
  readonly events: readonly ('transaction.payment_demands.created' | 'transaction.payment_demands.updated' | 'transaction.payment_demands.succeeded' | 'transaction.payment_demands.failed' | 'transaction.payment_demands.refunded' | 'transaction.payment_demands.disputed' | 'transaction.capture_demands.created' | 'transaction.capture_demands.updated' | 'transaction.capture_demands.succeeded' | 'transaction.capture_demands.failed' | 'transaction.refund_demands.created' | 'transaction.refund_demands.updated' | 'transaction.refund_demands.succeeded' | 'transaction.refund_demands.failed' | 'transaction.disputes.created' | 'transaction.disputes.updated' | 'transaction.disputes.won' | 'transaction.disputes.lost' | 'transaction.payment_subscriptions.created' | 'transaction.payment_subscriptions.updated' | 'transaction.payment_subscriptions.upcoming' | 'transaction.payment_subscriptions.past_due' | 'transaction.payment_subscriptions.recovered' | 'transaction.payment_subscriptions.unpaid' | 'transaction.payment_subscriptions.paused' | 'transaction.payment_subscriptions.resumed' | 'transaction.payment_subscriptions.cancelled' | 'consumer.customers.created' | 'consumer.customers.updated' | 'consumer.addresses.created' | 'consumer.addresses.updated' | 'consumer.payment_methods.created' | 'consumer.payment_methods.updated' | 'transaction.settlement_exceptions.created' | 'transaction.settlement_exceptions.resolved' | '*' | 'transaction.*' | 'transaction.payment_demands.*' | 'transaction.capture_demands.*' | 'transaction.refund_demands.*' | 'transaction.disputes.*' | 'transaction.payment_subscriptions.*' | 'consumer.*' | 'consumer.customers.*' | 'consumer.addresses.*' | 'consumer.payment_methods.*' | 'transaction.settlement_exceptions.*')[];
  /** The mode of the key. Another mode is refused. */
  readonly mode: 'live' | 'sandbox';
  /** Maximum number of concurrent deliveries. */
  readonly concurrency_limit: number;
  /** `resource` sends an event of a record only after the previous event of that record is delivered or given up. Other records do not wait. */
  readonly ordering: 'none' | 'resource';
  /** `paused` stops sending. Events wait until the subscription is `active` again: for 30 days, and the newest 100,000. Older ones become `stopped`. `archived` is final: pending deliveries become `stopped`, lists omit the subscription, and the rest of the update is ignored. */
  readonly status: 'active' | 'paused' | 'archived';
  /** Signs deliveries. Shown to keys with `developer.webhook_subscriptions.read`, and to people with `….update`. Null where the server has lost the key that it is kept under: `rotate_secret` makes a new one. Sensitive: neither filterable nor sortable. */
  readonly secret_key: string | null;
  /** Until when deliveries are signed with the secret before this one as well. */
  readonly previous_secret_expires_at: string | null;
  /** Why it is `paused`: `failing` after five days in which nothing was taken, of ten attempts or more. Null where it is not. */
  readonly paused_reason: 'merchant' | 'failing' | null;
  /** Since when nothing was taken, and something was refused or not answered. */
  readonly failing_since: string | null;
  /** When it is tried again after five failures in a row; deliveries that were not tried yet wait until then. `test`, `redeliver`, another `url` and `status` from `paused` to `active` end it at once. */
  readonly suspended_until: string | null;
  /** When it was archived; null until then. */
  readonly archived_at: string | null;
  /** When it was made. */
  readonly created_at: string;
  /** When it last changed. */
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
