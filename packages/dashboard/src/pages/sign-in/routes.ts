import { definePage } from '../../parts/page/page.ts';
import type english from './texts/en.json';

declare module '../../i18n/texts.ts' {
  interface Namespaces {
    readonly 'sign-in': typeof english;
  }
}

export const signInPage = definePage({
  path: 'sign-in',
  audience: 'public',
  texts: ['sign-in'],
  load: () => import('./sign-in.tsx').then(({ SignIn }) => SignIn),
});

const forgotPage = definePage({
  path: 'forgot-password',
  audience: 'public',
  texts: ['sign-in'],
  load: () => import('./request-email.tsx').then(({ ForgotPassword }) => ForgotPassword),
});

const registerPage = definePage({
  path: 'register',
  audience: 'public',
  texts: ['sign-in'],
  load: () => import('./request-email.tsx').then(({ Register }) => Register),
});

const linkPage = definePage({
  path: 'link',
  audience: 'public',
  texts: ['sign-in'],
  load: () => import('./link.tsx').then(({ LinkPage }) => LinkPage),
});

const mailboxPage = definePage({
  path: 'mailbox',
  audience: 'public',
  texts: ['sign-in'],
  load: () => import('./mailbox.tsx').then(({ SignInMailbox }) => SignInMailbox),
});

export const signInPages = [signInPage, forgotPage, registerPage, linkPage, mailboxPage];
