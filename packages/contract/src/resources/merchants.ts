import { customerRights, customersMayDefault } from '../customer-rights.ts';
import { DUNNING_DAYS, DUNNING_DAYS_MAX, dunningFinalActions, missedPeriods } from '../dunning.ts';
import { lateApprovals } from '../late-approvals.ts';
import { locales } from '../locales.ts';
import { amountLimits, CURRENCIES_MAX } from '../risk/amount-limits.ts';
import { defineResource, renamedField, timestamps } from './define-resource.ts';

export const merchants = defineResource({
  type: 'merchants',
  summary: 'The legal entity of a merchant business',
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
      description: 'What the business sells.',
    },
    business_email: {
      type: 'email',
      update: true,
      max: 254,
      description: 'Where the operator writes to.',
    },
    business_support_email: {
      type: 'email',
      update: true,
      max: 254,
      description: 'Where payers write to, and where answers to letters go.',
    },
    business_support_url: { type: 'url', update: true, max: 2000 },
    business_terms_url: { type: 'url', update: true, max: 2000 },
    business_privacy_policy_url: { type: 'url', update: true, max: 2000 },
    business_website: { type: 'url', update: true, max: 2000 },
    business_timezone: {
      type: 'timezone',
      update: true,
      default: 'UTC',
      description: 'The zone of payments that name no `payer_timezone`.',
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
      description: 'The language of letters to customers that have none of their own.',
    },
    brand_name: {
      type: 'string',
      update: true,
      max: 100,
      opaque: true,
      description: 'The name on letters to customers; `business_name` where it is not set.',
    },
    brand_color: {
      type: 'string',
      update: true,
      max: 7,
      pattern: /^#[0-9a-fA-F]{6}$/,
      opaque: true,
      description: 'The colour of letters to customers, such as `#7c3aed`.',
    },
    logo_url: {
      type: 'url',
      update: true,
      max: 2000,
      pattern: /^https:.*$/,
      opaque: true,
      description: 'An image at the top of letters to customers, 40 pixels high; an https address.',
    },
    late_approvals: {
      type: 'enum',
      values: lateApprovals,
      update: true,
      default: 'capture',
      opaque: true,
      description:
        'What becomes of a payment that is found approved more than a minute after the answer to it was lost: `capture` lets it succeed, `reverse` gives it back, and it fails as `processor_timeout`.',
    },
    dunning_days: {
      type: 'integer',
      update: true,
      min: 1,
      max: DUNNING_DAYS_MAX,
      default: DUNNING_DAYS,
      opaque: true,
      description:
        'Days after which a charge of a subscription is given up that keeps failing. It is tried daily for a week where the bank may say yes later, and as soon as the card was changed.',
    },
    dunning_final_action: {
      type: 'enum',
      values: dunningFinalActions,
      update: true,
      default: 'pause',
      opaque: true,
      description:
        'What is done then: `pause` or `cancel` the subscription, or `keep` it and charge the next period when it is due. It is always kept where the charge was for a change of it, which is taken back.',
    },
    missed_periods: {
      type: 'enum',
      values: missedPeriods,
      update: true,
      default: 'each',
      opaque: true,
      description:
        'What becomes of periods of subscriptions that fell due while nothing could be billed: `each` is charged, or the `latest` alone.',
    },
    accepted_currencies: {
      type: 'strings',
      each: 'currency',
      update: true,
      min: 1,
      max: CURRENCIES_MAX,
      default: ['USD'],
      description:
        'Currencies that payments and subscriptions are taken in; others are refused as `currency_not_accepted`. It counts for new amounts a few seconds later. Those that exist keep theirs.',
    },
    amount_limits: amountLimits,
    ...renamedField('customer_permissions', 'customers_may', {
      type: 'strings',
      values: customerRights,
      update: true,
      min: 0,
      max: customerRights.length,
      default: customersMayDefault,
      opaque: true,
      description:
        'Actions that customers may take on the page of their subscription. `cancel` ends it with the paid period, `cancel_now` at once. `pause` also resumes it, `change_card` sets another card.',
    }),
    active_at: {
      type: 'timestamp',
      description: 'When it was allowed to take payments; null until then.',
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
