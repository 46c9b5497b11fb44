import type { ErrorHelp } from './error-help.ts';

/** Errors of the dashboard: sign-in, accounts, members and the application of a merchant. */
export const peopleErrors = {
  sign_in_again: {
    title: 'Sign in again',
    cause: 'The action is sensitive, and needs a sign-in within the last ten minutes.',
    fix: 'Confirm your identity with your password, passkey or code, then repeat the action.',
    example: {
      detail: 'Show again who you are: this takes a sign-in of the last ten minutes.',
    },
  },
  registration_closed: {
    title: 'Registration is closed',
    cause: 'The operator does not allow everyone to open an account or a business on this server.',
    fix: 'Ask a member of the merchant for an invitation, or the operator. Operators: set `FLORIN_REGISTRATION=open`.',
    example: {
      detail:
        'Accounts are not opened here by anybody. Ask the operator, who can set FLORIN_REGISTRATION=open, or a member to invite you.',
    },
  },
  wrong_credentials: {
    title: 'The email address or the password is wrong',
    cause:
      'No account has this email address and password, or there were too many attempts. The server does not say which.',
    fix: 'Check both, or reset the password. After ten attempts, wait a quarter of an hour.',
    example: {
      detail:
        'Address or password is wrong, or there were too many tries. After ten, wait a quarter of an hour.',
    },
  },
  wrong_code: {
    title: 'The code is wrong',
    cause:
      'The code of the authenticator is wrong, was used before, or there were too many attempts.',
    fix: 'Check the clock of the device, and enter the next code. Recovery codes work without the device.',
    example: {
      detail:
        'Check the clock of the device that shows the code, and enter the next one. The code is wrong, was used before, or there were too many tries.',
      source: { pointer: '/code' },
    },
  },
  link_unusable: {
    title: 'The link cannot be used',
    cause: 'The link of the email was used already, has expired, or a newer link has replaced it.',
    fix: 'Request a new link, and use the one of the newest email.',
    example: {
      detail:
        'The link was used already, is too old, or a newer one has taken its place. Ask for another.',
    },
  },
  password_too_common: {
    title: 'The password is too easy to guess',
    cause:
      'The password is on a list of common passwords, repeats a pattern, or is similar to the email address.',
    fix: 'Choose another password. A password manager, or four unrelated words, give a good one.',
    example: {
      detail: 'This password is among those that are tried first. Choose another one.',
      source: { pointer: '/password' },
    },
  },
  already_member: {
    title: 'The person is a member already',
    cause: 'A person with this email address is a member of the merchant, or was invited before.',
    fix: 'Look for the person in the list of members. Send the invitation again, or change the permissions there.',
    example: {
      detail: 'Somebody of this email is a member or invited already.',
      source: { pointer: '/data/attributes/email' },
    },
  },
  already_owner: {
    title: 'The person is an owner already',
    cause: 'The merchant already has a beneficial owner with this identification.',
    fix: 'Use the owner that exists. Each person appears once, with the whole percentage.',
    example: {
      detail: 'This person is an owner of the merchant already.',
      source: { pointer: '/data/relationships/personal_identification' },
    },
  },
  more_than_whole: {
    title: 'The owners hold more than 100 percent',
    cause: 'The percentages of all beneficial owners together would exceed 100.',
    fix: 'Check the percentages of the owners that exist, and send at most the rest.',
    example: {
      detail: 'All owners together hold at most 100 percent.',
      source: { pointer: '/data/attributes/ownership_percentage' },
    },
  },
  mail_not_configured: {
    title: 'Email is not configured',
    cause: 'The action needs an email, and this server has no mail server.',
    fix: 'Ask the operator. Operators: set `FLORIN_SMTP_URL` and `FLORIN_MAIL_FROM`, as [Configuration](/operate/configuration) explains.',
    example: {
      detail:
        'This server sends no mail. Its operator has to set FLORIN_SMTP_URL and FLORIN_MAIL_FROM.',
    },
  },
} as const satisfies Record<string, ErrorHelp>;
