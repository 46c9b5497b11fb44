/**
 * Details of errors that people meet in forms, with placeholders for their parameters. The folder `texts` has a sentence
 * for people for each, by language. Special ones come before general ones.
 */
export const detailTemplates = {
  payment_not_succeeded: 'The payment is {state}. Only a succeeded payment can be refunded.',
  nothing_captured: 'The payment has no captured authorisation to refund.',
  whole_refunded:
    'The whole payment is refunded, reserved by refunds in flight, or lost in disputes.',
  over_refundable:
    "amount_cents is more than the payment's refundable amount. Send at most amount_refundable_cents.",
  refund_account_removed:
    "The processor account {name}, which took the payment, is removed. Refund it in the processor's dashboard, or ask the operator.",
  payment_not_authorised: 'The payment is {state}. Only an authorised payment can be captured.',
  one_capture:
    'The processor account of this payment takes one capture of an authorisation. Leave final out, or send true.',
  over_held:
    'amount_cents is more than the bank holds for this payment. Send at most amount_capturable_cents.',
  other_currency: 'amount_currency must be {currency}, the currency of the payment.',
  wrong_state:
    'This {noun} is {state}, which does not allow {action}. No action is possible in this state.',
  wrong_state_now:
    'This {noun} is {state}, which does not allow {action}. Possible now: {actions}.',
  dispute_without_evidence:
    'The dispute has no evidence. Update an evidence field or upload a file before you submit it.',
  dispute_files_max: 'The dispute has {max} files, the maximum. Remove one first.',
  dispute_bytes_max:
    'The files of all disputes have {bytes} bytes, the maximum. Remove files that you no longer need.',
  file_bytes_max: 'The file must have at most {bytes} bytes.',
  file_of_unknown_type: 'The body is neither PDF, PNG nor JPEG. Send the bytes of the file itself.',
  dispute_answered_elsewhere:
    'Florin cannot answer this dispute. Answer it in the dashboard of {name}, or ask the operator to add the address for disputes to the account.',
  dispute_decided: 'The dispute is decided already. Load the list again.',
  dispute_simulated: 'The simulated card network decides this dispute.',
  two_customers: 'source and target must be two customers.',
  one_blocked:
    'Only {side} is blocked. Block both customers, or unblock {side_again}, then merge them.',
  merge_with_clock:
    'A customer with a sandbox clock cannot be merged, because its records have another time. Remove the clock first.',
  merges_max: 'A customer can have at most {max} merged customers. Merge into another customer.',
  customer_merged: 'This customer was merged into the customer {id}. Use that customer.',
  address_used: 'A payment uses this address, so it cannot change. Create a new address.',
  unknown_region:
    'state must be a state of {country}: its name, or its ISO 3166-2 code without the country.',
  subscription_not_active:
    'The subscription is {state}. Only an active subscription can be changed this way.',
  subscription_past_due:
    'A charge of the subscription is past due. Change the subscription after the charge is paid.',
  nothing_to_change: 'Send at least one of amount_cents, billing_period or payment_method.',
  last_period:
    'The last of charges_max periods is running, and another billing_period would start one more. Raise charges_max first.',
  charge_in_flight:
    'A charge of the subscription is in flight. Change the subscription after the charge has an outcome.',
  anchor_too_far:
    'With create_prorations, billing_cycle_anchor_at must be within one billing period of the confirmation, or of the end of the trial.',
  end_passed: 'end_at has passed, so there is nothing to charge. Send a later end_at.',
  end_before_trial:
    'end_at must be after trial_end_at. To end a subscription with its trial, set canceled_at_period_end.',
  years_max: '{field} must be within {years} years of now.',
  subscription_without_items:
    'line_items must have at least one item, which names what the subscription is for.',
  no_receipt: 'Only succeeded payments have a receipt.',
  payer_without_email: 'The payer has no email address. Add one to the customer first.',
  amount_min_minor: 'amount_cents must be at least {limit} minor units of this currency.',
  amount_max_minor: 'amount_cents must be at most {limit} minor units of this currency.',
  card_not_used:
    'A merchant-initiated charge needs an earlier successful payment that this payer made with this payment method.',
  needs_authentication:
    'The merchant requires 3-D Secure, and only the results Y and A authenticate the payer. Show the payment form again.',
  currency_of_purchase: 'All amounts of a purchase must be in its amount_currency.',
  discount_too_large: 'discount_cents must be at most amount_cents of the line item.',
  card_expired: 'expiry_month and expiry_year must be from this month to {years} years ahead.',
  notes_max:
    'A payment has at most {max} notes. Delete one of your notes before you write another.',
  expiry_passed: 'expires_at must be in the future.',
  https_without_user: 'success_url must be an https address without a user name.',
  https_or_localhost:
    'success_url must be an https address without a user name. The sandbox also accepts http://localhost.',
  uses_already:
    'The link was already paid {count} times, so uses_max must be at least {count_again}.',
  already_listed: 'An entry of this list already has this value. Remove that entry first.',
  entry_of_card: 'An entry of the kind card takes payment_method and no value.',
  entry_needs_card: 'An entry of the kind card needs the relationship payment_method.',
  entry_without_card: 'Only an entry of the kind card takes payment_method.',
  entry_needs_value: 'An entry of the kind {kind} needs a value.',
  limit_needs_currency: 'A limit of amounts needs amount_currency.',
  limit_of_every_currency:
    'A limit of {kind} counts payments of every currency. Leave amount_currency out.',
  url_scheme: 'The URL of a webhook must be http or https.',
  url_credentials: 'The URL of a webhook must not contain credentials.',
  url_internal: 'The URL of a webhook must not be a link-local or metadata address.',
  url_https: 'The URL of a webhook must be https.',
  url_public: 'The URL of a webhook must have a public address.',
  url_port: 'The URL of a webhook must have port 443, or a port from 1024.',
  url_fragment: 'The URL of a webhook must not have a fragment.',
  webhook_archived: 'The webhook subscription is archived. Create a new one.',
  delivery_archived: 'The webhook subscription of this delivery is archived and receives nothing.',
  same_webhook:
    'Another webhook subscription sends the same events to this URL. Update or archive that subscription.',
  replay_order: 'until must be later than since.',
  replay_days: 'A replay can cover at most {days} days. Create another replay for the rest.',
  replays_open:
    'There are already {max} replays in progress. Wait until one is finished, or cancel one.',
  replay_without_events:
    'The webhook subscription has none of these events. Send codes from its events.',
  origins_of_publishable: 'Only publishable keys have origins. Leave origins out.',
  origin_form:
    'origins {at} must be an origin: scheme, host and port without a path, such as https://shop.example.com.',
  origin_https: 'origins {at} must be https, except on localhost.',
  permission_to_grant:
    'Only a key or member with the permission {permission} can grant it. Leave it out.',
  password_min: 'A password must have at least {min} characters.',
  password_max: 'A password must have at most {max} characters.',
  passkey_late: 'The passkey does not match the request, or came too late. Try again.',
  passkeys_max: 'An account can have at most {max} passkeys. Remove one first.',
  authenticator_exists:
    'The account already has an authenticator. Remove it before you add another.',
  second_factor_first:
    'The account has no second factor. Set one up before you create recovery codes.',
  live_needs_factor:
    'Live mode needs a second factor. Set up an authenticator or a passkey under Account.',
  operator_needs_factor:
    'Operators of this installation need a second factor. Set up an authenticator or a passkey under Account.',
  link_used: 'The link was used, has expired, or was replaced by a newer one. Request a new link.',
  already_member: 'A person with this email is already a member or invited.',
  founder_stays: 'The account that opened the merchant stays a member and cannot be removed.',
  includes_live: 'This membership includes live mode. Change it in live mode.',
  lacks_permission:
    'This membership has the permission {permission}, which you lack. Ask a member who has it.',
  responsible_for_keys:
    'The member is responsible for {count} working API keys. Send keys: revoke, or hand_over to become responsible yourself.',
  too_many_emails: 'Too many emails were requested. Try again in an hour.',
  needed_for_application: '{field} is required before the application can be submitted.',
  more_than_whole: 'The shares of all owners must be at most 100 percent together.',
  bank_account: '{field} must be an IBAN, or a national account number of 4 to 17 digits.',
  bank_code: '{field} must be a BIC, or a routing number of nine digits.',
  category_code: '{field} must have four digits (ISO 18245).',
  already_submitted: 'The application is already submitted. Ask the operator to change it.',
  birth_passed: 'dob must be in the past.',
  birth_years: 'dob must be less than {years} years ago.',
  currency_twice: 'accepted_currencies has this currency twice. Send each currency once.',
  limits_twice: 'amount_limits has this currency twice. Send one limit for each currency.',
  range_empty: 'max_cents must not be less than min_cents.',
  logo_undrawable: 'The logo cannot be drawn in a PDF. Save it as PNG with 8 bits a colour.',
  logo_of_unknown_type: 'The logo is neither PNG nor JPEG. Save it as PNG.',
  logo_bytes_max: '{field} must have at most {bytes} bytes.',
  clock_forward: 'to must be later than the time of the clock (meta.now). Clocks only go forward.',
  clock_years: 'One advance covers at most {years} years. Advance again to go further.',
  clock_ahead: 'A clock can be at most 100 years ahead of the system clock.',
  clock_exists: 'This {owner} already has a clock. Advance that clock.',
  merchant_named_unknown: 'merchant_id names no merchant: {id}.',
  account_name_taken: 'Another account of this mode has this name. Choose another name.',
  account_same_settings:
    'The account {name} has the same settings at the processor, which would notify both of all payments. Change {name_again}, or remove it first.',
  field_of_other_mode: '{field} is of {other} mode. The account is of {mode} mode.',
  field_form_example: '{field} does not have the form that the processor uses, such as {example}.',
  field_form: '{field} does not have the form that the processor uses.',
  outcome_known: 'The outcome is known already. Load the list of unknown outcomes again.',
  reference_of_no_payment: 'processor_reference is no id of this processor.',
  application_incomplete:
    'The application is incomplete. The merchant must complete it before you can approve it.',
  record_gone:
    'The record in {relationship} does not exist, is discarded, or is not visible to this key.',
  other_payer:
    '{relationship} belongs to another customer than the payer. Name a record of the payer.',
  records_max: 'The maximum of {max} {things} is reached. End one before you create another.',
  read_only:
    '{field} is read-only and differs from the record. Leave it out, or read the record again.',
  choose_record: '{field} must name a record by type and id.',
  has_no_value: '{field} must have a value.',
  required: '{field} is required.',
  characters_min: '{field} must have at least {min} characters.',
  characters_max: '{field} must have at most {max} characters.',
  items_min: '{field} must have at least {min} {items}.',
  items_max: '{field} must have at most {max} items.',
  members_max: '{field} must have at most {max} members.',
  member_names: '{field} must have a name of 1 to {max} letters, digits, dashes and underscores.',
  future: '{field} must be in the future.',
  not_future: '{field} must not be in the future.',
  number_min: '{field} must be at least {min}.',
  number_max: '{field} must be at most {max}.',
  whole_number: '{field} must be an integer.',
  email_form: '{field} must be an email address, such as name@example.com.',
  phone_form:
    '{field} must be a telephone number with + and the country code, such as +442071234567.',
  url_form: '{field} must be an http or https address.',
  country_form: '{field} must be an ISO 3166-1 alpha-3 code, such as GBR.',
  currency_form: '{field} must be an ISO 4217 code, such as EUR.',
  zone_form: '{field} must be a zone of the IANA time zone database, such as Europe/London.',
  time_form: '{field} must be an ISO 8601 timestamp, such as 2026-11-21T09:00:00Z.',
  date_form: '{field} must be a date, such as 2026-11-21.',
  slug_form: '{field} must begin with a letter a to z, and have only a to z, 0 to 9 and _.',
  uuid_form: '{field} must be a UUID.',
  pattern: '{field} must match {pattern}.',
  listed_value: '{field} must be one of {values}.',
  unstorable: '{field} must not contain NUL (U+0000) or half of a surrogate pair.',
} as const satisfies Readonly<Record<string, string>>;

export type DetailName = keyof typeof detailTemplates;
