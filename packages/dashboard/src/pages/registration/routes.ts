import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly registration: typeof english;
  }
}

export const newBusinessPage = definePage({
  path: 'new-business',
  audience: 'account',
  texts: ['registration'],
  load: () => import('./new-business.tsx').then(({ NewBusiness }) => NewBusiness),
});

export const setupPage = definePage({
  path: 'setup',
  permission: 'user.merchants.update',
  texts: ['registration', 'names', 'records', 'help'],
  load: () => import('./setup.tsx').then(({ Setup }) => Setup),
});

export const registrationPages = [newBusinessPage, setupPage];
