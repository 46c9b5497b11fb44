import type { ErrorHelp } from './error-help.ts';

/** Errors of the dashboard: sign-in, accounts, members and the application of a merchant. */
export const peopleErrors = {
  sign_in_again: {
    title: 'Sign in again',
    cause: 'The action is sensitive, and needs a sign-in within the last ten minutes.',
    fix: 'Confirm your identity with your password, passkey or code, then repeat the action.',
    example: {
      detail: 'This action needs a sign-in of the last ten minutes. Sign in again.',
    },
  },
  registration_closed: {
    title: 'Registration is closed',
    cause: 'The operator does not allow everyone to open an account or a business on this server.',
    fix: 'Ask a member of the merchant for an invitation, or the operator. Operators: set `FLORIN_REGISTRATION=open`.',
    example: {
      detail:
        'Registration is closed on this server. Ask a member to invite you, or the operator to set FLORIN_REGISTRATION=open.',
    },
  },
  wrong_credentials: {
    title: 'The email address or the password is wrong',
    cause:
      'No account has this email address and password, or there were too many attempts. The server does not say which.',
    fix: 'Check both, or reset the password. After ten attempts, reset it, use a passkey, or wait.',
    example: {
      detail:
        'The email or password is wrong, or there were too many attempts. After ten attempts, reset the password, use a passkey, or wait.',
    },
  },
  wrong_code: {
    title: 'The code is wrong',
    cause:
      'The code of the authenticator is wrong, was used before, or there were too many attempts.',
    fix: 'Check the clock of the device, and enter the next code. Recovery codes work without the device.',
    example: {
      detail:
        'The code is wrong, was used before, or there were too many attempts. Check the clock of your device and enter the next code.',
      source: { pointer: '/code' },
    },
  },
  link_unusable: {
    title: 'The link cannot be used',
    cause: 'The link of the email was used already, has expired, or a newer link has replaced it.',
    fix: 'Request a new link, and use the one of the newest email.',
    example: {
      detail: 'The link was used, has expired, or was replaced by a newer one. Request a new link.',
    },
  },
  password_too_common: {
    title: 'The password is too easy to guess',
    cause:
      'The password is from a breach, takes fewer than 100 million guesses, or is similar to the email address.',
    fix: 'Choose another password. A password manager, or four unrelated words, give a good one.',
    example: {
      detail: 'This password is easy to guess. Choose another one, such as four unrelated words.',
      source: { pointer: '/password' },
    },
  },
  already_member: {
    title: 'The person is a member already',
    cause: 'A person with this email address is a member of the merchant, or was invited before.',
    fix: 'Look for the person in the list of members. Send the invitation again, or change the permissions there.',
    example: {
      detail: 'A person with this email is already a member or invited.',
      source: { pointer: '/data/attributes/email' },
    },
  },
  already_owner: {
    title: 'The person is an owner already',
    cause: 'The merchant already has a beneficial owner with this identification.',
    fix: 'Use the owner that exists. Each person appears once, with the whole percentage.',
    example: {
      detail: 'This person is already an owner of the merchant. Update the existing owner.',
      source: { pointer: '/data/relationships/personal_identification' },
    },
  },
  more_than_whole: {
    title: 'The owners hold more than 100 percent',
    cause: 'The percentages of all beneficial owners together would exceed 100.',
    fix: 'Check the percentages of the owners that exist, and send at most the rest.',
    example: {
      detail: 'The shares of all owners must be at most 100 percent together.',
      source: { pointer: '/data/attributes/ownership_percentage' },
    },
  },
  mail_not_configured: {
    title: 'Email is not configured',
    cause: 'The action needs an email, and this server has no mail server.',
    fix: 'Ask the operator. Operators: set `FLORIN_SMTP_URL` and `FLORIN_MAIL_FROM`, as [Configuration](/operate/configuration) explains.',
    example: {
      detail:
        'This server sends no email. The operator must set FLORIN_SMTP_URL and FLORIN_MAIL_FROM.',
    },
  },
} as const satisfies Record<string, ErrorHelp>;
