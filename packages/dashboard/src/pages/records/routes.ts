import { definePage } from '../../parts/page/page.ts';

export const recordTypesPage = definePage({
  path: 'records',
  texts: ['records', 'help'],
  load: () => import('./record-types.tsx').then(({ RecordTypes }) => RecordTypes),
});

export const recordListPage = definePage({
  path: 'records/$type',
  texts: ['records', 'help'],
  load: () => import('./record-list.tsx').then(({ RecordList }) => RecordList),
});

export const recordPage = definePage({
  path: 'records/$type/$id',
  texts: ['records', 'help'],
  load: () => import('./record-detail.tsx').then(({ RecordDetail }) => RecordDetail),
});

export const recordPages = [recordTypesPage, recordListPage, recordPage];
