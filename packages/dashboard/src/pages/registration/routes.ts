import { definePage } from '../../parts/page/page.ts';

export const newBusinessPage = definePage({
  path: 'new-business',
  audience: 'account',
  texts: ['setup'],
  load: () => import('./new-business.tsx').then(({ NewBusiness }) => NewBusiness),
});

export const setupPage = definePage({
  path: 'setup',
  permission: 'user.merchants.update',
  texts: ['setup', 'names', 'records', 'help'],
  load: () => import('./setup.tsx').then(({ Setup }) => Setup),
});

export const registrationPages = [newBusinessPage, setupPage];
