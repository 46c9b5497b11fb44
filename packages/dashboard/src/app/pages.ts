import { accountPages } from '../pages/account/routes.ts';
import { auditPages } from '../pages/audit/routes.ts';
import { balancePages } from '../pages/balance/routes.ts';
import { businessPages } from '../pages/business/routes.ts';
import { customerPages } from '../pages/customers/routes.ts';
import { developerPages } from '../pages/developers/routes.ts';
import { disputePages } from '../pages/disputes/routes.ts';
import { homePages } from '../pages/home/routes.ts';
import { linkPages } from '../pages/links/routes.ts';
import { notificationPages } from '../pages/notifications/routes.ts';
import { operatorPages } from '../pages/operator/routes.ts';
import { paymentPages } from '../pages/payments/routes.ts';
import { processorPages } from '../pages/processors/routes.ts';
import { recordPages } from '../pages/records/routes.ts';
import { registrationPages } from '../pages/registration/routes.ts';
import { signInPages } from '../pages/sign-in/routes.ts';
import { subscriptionPages } from '../pages/subscriptions/routes.ts';
import { teamPages } from '../pages/team/routes.ts';
import { terminalPages } from '../pages/terminal/routes.ts';
import type { Page } from '../parts/page/page.ts';

/** Every page of the application, from the `routes.ts` of each folder. */
export const pages: readonly Page[] = [
  ...signInPages,
  ...homePages,
  ...paymentPages,
  ...terminalPages,
  ...customerPages,
  ...subscriptionPages,
  ...linkPages,
  ...disputePages,
  ...balancePages,
  ...recordPages,
  ...developerPages,
  ...businessPages,
  ...operatorPages,
  ...processorPages,
  ...accountPages,
  ...notificationPages,
  ...registrationPages,
  ...teamPages,
  ...auditPages,
];
