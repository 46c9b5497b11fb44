import { servesDemoShop } from '../../config/config.ts';
import { hasPeopleApart } from '../../platform/database/in-both.ts';
import type { Services } from '../../services.ts';
import { integrations } from '../onboarding/integrations.ts';
import { saveIntegrations } from '../onboarding/sql/integrations.ts';
import type { Credentials } from './credentials.ts';
import { ensureDemo } from './seed.ts';

export interface Demo {
  readonly credentials: Credentials;
  readonly first_start: boolean;
  /** Whether the demo shop gets orders now. */
  readonly has_first_orders: boolean;
}

/** Saves the platform's integrations, and opens the demo merchant. Production has no demo merchant. */
export async function openDemo(services: Services): Promise<Demo | undefined> {
  const { config, db, clock } = services;
  const integration_ids = await saveIntegrations(db, clock, integrations);
  // The people of the demo are in the cell of the global database.
  if (config.environment === 'production' || (services.directory && hasPeopleApart(services)))
    return undefined;
  const has_shop = servesDemoShop(config);
  const { data_dir, public_url: base_url } = config;
  const demo = await ensureDemo({ ...services, data_dir, base_url, has_shop, integration_ids });
  return { ...demo, has_first_orders: demo.first_start && config.demo_orders && has_shop };
}
