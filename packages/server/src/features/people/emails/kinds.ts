export const accountEmailKinds = [
  'registration',
  'reset_password',
  'invitation',
  'change_email',
  'email_changed',
  'password_changed',
  'factors_changed',
  'mention',
] as const;
export type AccountEmailKind = (typeof accountEmailKinds)[number];

/** Kind of emails about what concerns a merchant, which members can switch off. */
export const MEMBER_NOTIFICATION = 'member_notification';

/** Languages of the dashboard and of account emails. */
export const accountLocales = ['en', 'de', 'fr', 'es'] as const;
export type AccountLocale = (typeof accountLocales)[number];

export const accountLocaleOf = (tag: string | null | undefined): AccountLocale =>
  accountLocales.find((locale) => locale === tag) ?? 'en';
