export const accountEmailKinds = [
  'registration',
  'reset_password',
  'invitation',
  'change_email',
  'email_changed',
  'password_changed',
  'factors_changed',
] as const;
export type AccountEmailKind = (typeof accountEmailKinds)[number];

/** Languages of the dashboard and of account emails. */
export const accountLocales = ['en', 'de', 'fr', 'es'] as const;
export type AccountLocale = (typeof accountLocales)[number];

export const accountLocaleOf = (tag: string | null | undefined): AccountLocale =>
  accountLocales.find((locale) => locale === tag) ?? 'en';
