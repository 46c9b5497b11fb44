import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly operator: typeof english;
  }
}

const texts = ['operator', 'names', 'records'] as const;

export const operatorMerchantsPage = definePage({
  path: 'operator/merchants',
  audience: 'operator',
  texts,
  load: () => import('./merchants.tsx').then(({ OperatorMerchants }) => OperatorMerchants),
});

export const operatorMerchantPage = definePage({
  path: 'operator/merchants/$id',
  audience: 'operator',
  texts,
  load: () => import('./merchant.tsx').then(({ OperatorMerchant }) => OperatorMerchant),
});

export const operatorReviewsPage = definePage({
  path: 'operator/reviews',
  audience: 'operator',
  texts,
  load: () => import('./merchants.tsx').then(({ OperatorReviews }) => OperatorReviews),
});

export const operatorUnknownPage = definePage({
  path: 'operator/unknown',
  audience: 'operator',
  texts,
  load: () => import('./unknown-outcomes.tsx').then(({ UnknownOutcomes }) => UnknownOutcomes),
});

export const operatorDisputesPage = definePage({
  path: 'operator/disputes',
  audience: 'operator',
  texts,
  load: () => import('./open-disputes.tsx').then(({ OpenDisputes }) => OpenDisputes),
});

export const operatorExceptionsPage = definePage({
  path: 'operator/exceptions',
  audience: 'operator',
  texts,
  load: () => import('./exceptions.tsx').then(({ OperatorExceptions }) => OperatorExceptions),
});

export const operatorHealthPage = definePage({
  path: 'operator/health',
  audience: 'operator',
  is_of_one_cell: true,
  texts,
  load: () => import('./health.tsx').then(({ OperatorHealth }) => OperatorHealth),
});

export const operatorPages = [
  operatorMerchantsPage,
  operatorMerchantPage,
  operatorReviewsPage,
  operatorUnknownPage,
  operatorDisputesPage,
  operatorExceptionsPage,
  operatorHealthPage,
];
