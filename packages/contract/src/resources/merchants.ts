import { customerRights, customersMayDefault } from '../customer-rights.ts';
import { DUNNING_DAYS, DUNNING_DAYS_MAX, dunningFinalActions, missedPeriods } from '../dunning.ts';
import { lateApprovals } from '../late-approvals.ts';
import { locales } from '../locales.ts';
import { amountLimits, CURRENCIES_MAX } from '../risk/amount-limits.ts';
import { checkRules } from '../risk/check-rules.ts';
import { threedsPolicies } from '../threeds-policies.ts';
import { defineResource, renamedField, timestamps } from './define-resource.ts';

export const merchants = defineResource({
  type: 'merchants',
  summary: 'The legal entity of a business',
  owner: 'merchant',
  few: 1,
  group: 'user',
  operations: ['list', 'fetch', 'update'],
  fields: {
    business_name: {
      type: 'string',
      update: true,
      max: 200,
      description: 'The name that payers see.',
    },
    business_description: {
      type: 'string',
      update: true,
      max: 1000,
      description: 'Products or services of the business.',
    },
    business_email: {
      type: 'email',
      update: true,
      max: 254,
      description: 'The address for messages of the operator.',
    },
    business_support_email: {
      type: 'email',
      update: true,
      max: 254,
      description: 'The address for questions of payers, and for replies to emails.',
    },
    business_support_url: { type: 'url', update: true, max: 2000 },
    business_terms_url: { type: 'url', update: true, max: 2000 },
    business_privacy_policy_url: { type: 'url', update: true, max: 2000 },
    business_website: { type: 'url', update: true, max: 2000 },
    business_timezone: {
      type: 'timezone',
      update: true,
      default: 'UTC',
      description: 'Time zone of payments without a `payer_timezone`.',
    },
    business_zip_code: { type: 'string', update: true, max: 20 },
    phone_number: { type: 'phone', update: true },
    category_code: {
      type: 'string',
      max: 4,
      description: 'Merchant category code (ISO 18245), four digits.',
    },
    entity_type: {
      type: 'string',
      max: 50,
      description: 'Legal form, such as `private_ccorporation`.',
    },
    prior_bankruptcies: {
      type: 'boolean',
      description: 'Whether the business was bankrupt before.',
    },
    tax_id_type: { type: 'string', max: 10, description: 'Kind of tax number, such as `ein`.' },
    locale: {
      type: 'enum',
      values: locales,
      update: true,
      default: 'en',
      opaque: true,
      description: 'Language of emails to customers who have no `locale`.',
    },
    brand_name: {
      type: 'string',
      update: true,
      max: 100,
      opaque: true,
      description: 'Name on emails to customers. Default: `business_name`.',
    },
    brand_color: {
      type: 'string',
      update: true,
      max: 7,
      pattern: /^#[0-9a-fA-F]{6}$/,
      opaque: true,
      description: 'Colour of emails and payment links, such as `#7c3aed`.',
    },
    logo_url: {
      type: 'url',
      update: true,
      max: 2000,
      pattern: /^https:.*$/,
      opaque: true,
      description:
        'Image at the top of emails to customers, 40 pixels high. An https URL. Without it, live emails carry the uploaded logo of documents.',
    },
    seller_name: {
      type: 'string',
      update: true,
      max: 200,
      opaque: true,
      description: 'Legal name on receipts, invoices and credit notes. Default: `business_name`.',
    },
    seller_line_1: {
      type: 'string',
      update: true,
      max: 200,
      opaque: true,
      description: 'Street and number on receipts, invoices and credit notes.',
    },
    seller_line_2: { type: 'string', update: true, max: 200, opaque: true },
    seller_zip_code: { type: 'string', update: true, max: 20, opaque: true },
    seller_city: { type: 'string', update: true, max: 100, opaque: true },
    seller_state: { type: 'string', update: true, max: 100, opaque: true },
    seller_country: { type: 'country', update: true, opaque: true },
    seller_tax_number: {
      type: 'string',
      update: true,
      max: 50,
      opaque: true,
      description:
        'Tax or VAT number on receipts, invoices and credit notes. Documents that are issued already keep theirs.',
    },
    threeds_live: {
      type: 'enum',
      values: threedsPolicies,
      update: true,
      default: 'when_available',
      opaque: true,
      description:
        '3-D Secure in live mode. `required` confirms only payments that Florin or a wallet authenticated. `required_or_asserted` also accepts results that you send. `when_available` asks the bank if it takes part, `off` never. Needs live rights.',
    },
    threeds_sandbox: {
      type: 'enum',
      values: threedsPolicies,
      update: true,
      default: 'when_available',
      opaque: true,
      description: '3-D Secure in the sandbox, with the values of `threeds_live`.',
    },
    late_approvals: {
      type: 'enum',
      values: lateApprovals,
      update: true,
      per_mode: true,
      default: 'capture',
      opaque: true,
      description:
        'Handling of payments whose response was lost and whose approval is found more than a minute later. `capture` lets them succeed. `reverse` returns the money, and they fail as `processor_timeout`.',
    },
    dunning_days: {
      type: 'integer',
      update: true,
      per_mode: true,
      min: 1,
      max: DUNNING_DAYS_MAX,
      default: DUNNING_DAYS,
      opaque: true,
      description:
        'Days until Florin gives up a failing subscription charge. Florin retries daily for a week if the bank may accept later. Florin also retries when the card changes.',
    },
    dunning_final_action: {
      type: 'enum',
      values: dunningFinalActions,
      update: true,
      per_mode: true,
      default: 'pause',
      opaque: true,
      description:
        'Action when dunning ends: `pause` or `cancel` the subscription, or `keep` it and charge the next period. A failed charge for a plan change always keeps the subscription and reverts the change.',
    },
    missed_periods: {
      type: 'enum',
      values: missedPeriods,
      update: true,
      per_mode: true,
      default: 'each',
      opaque: true,
      description:
        'Handling of periods that fell due while billing was impossible: charge `each`, or only the `latest`.',
    },
    accepted_currencies: {
      type: 'strings',
      each: 'currency',
      update: true,
      per_mode: true,
      min: 1,
      max: CURRENCIES_MAX,
      default: ['USD'],
      description:
        'Currencies of payments and subscriptions. Others are refused as `currency_not_accepted`. A change applies to new amounts within seconds. Existing amounts keep their currency.',
    },
    amount_limits: amountLimits,
    refused_mismatches: {
      type: 'strings',
      values: checkRules,
      update: true,
      per_mode: true,
      min: 0,
      max: checkRules.length,
      default: [],
      opaque: true,
      description:
        'Results of the issuer’s checks that refuse a payment after its approval. The approval is reversed and nothing is charged. `cvc_mismatch` fails as `incorrect_cvc`, the others as `card_not_verified`. Charges without the payer and payments of the allow list are not refused.',
    },
    ...renamedField('customer_permissions', 'customers_may', {
      type: 'strings',
      values: customerRights,
      update: true,
      per_mode: true,
      min: 0,
      max: customerRights.length,
      default: customersMayDefault,
      opaque: true,
      description:
        'Actions on the customer’s subscription page. `cancel` ends the subscription with the paid period, `cancel_now` immediately. `pause` also allows resuming. `change_card` sets another card.',
    }),
    active_at: {
      type: 'timestamp',
      description: 'Time at which the merchant was approved for payments; null until then.',
    },
    ...timestamps,
  },
  relations: {
    account: { to: 'accounts' },
    customers: { to: 'customers', many: true, inverse: 'merchant' },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'merchant' },
    payment_methods: { to: 'payment_methods', many: true, inverse: 'merchant' },
    beneficial_owners: { to: 'beneficial_owners', many: true, inverse: 'merchant' },
    corporate_officials: { to: 'corporate_officials', many: true, inverse: 'merchant' },
  },
});
