import { parseDatabaseAddress } from '@florin/contract/database/address.ts';
import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../../config/config.ts';
import { type CertificateOwner, readExpiry } from '../../platform/crypto/certificate-expiry.ts';
import { seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { metricOptions } from './metrics.ts';

/** Interval between readings of a certificate, in milliseconds. */
const READING_MS = 3_600_000;

/** Registers the gauge of the time until certificates expire. Certificates that cannot be read have no value. */
export function registerCertificates(
  register: Registry,
  { config, system_clock }: Pick<Services, 'config' | 'system_clock'>,
): void {
  const readings = certificatesOf(config).map((certificate) => ({
    ...certificate,
    read: hourly(config, certificate),
  }));
  new Gauge({
    ...metricOptions('florin_certificate_expiry_seconds'),
    registers: [register],
    collect() {
      this.reset();
      for (const { name, read } of readings) {
        const expiry = read();
        if (expiry !== undefined)
          this.set({ certificate: name }, (expiry - system_clock.now()) / seconds(1));
      }
    },
  });
}

/** Certificates of an installation: those of its addresses with https, and that of each host of a database with TLS. */
export const certificatesOf = ({
  public_url,
  pay_url,
  database_url,
}: Pick<Config, 'public_url' | 'pay_url' | 'database_url'>): CertificateOwner[] =>
  [
    { name: 'public_url', url: public_url },
    { name: 'pay_url', url: pay_url },
    ...databaseHosts(database_url),
  ].filter(({ url }) => /^https:/.test(url) || /[?&]sslmode=(?:require|verify)/.test(url));

/** Each host of a database has a certificate of its own. */
function databaseHosts(database_url: string): CertificateOwner[] {
  const { urls, hosts } = parseDatabaseAddress(database_url);
  if (urls.length === 1) return [{ name: 'database', url: database_url }];
  return urls.map((url, at) => ({ name: `database ${hosts[at]}`, url }));
}

/** Returns the last reading, and starts the next in the background where the last is an hour old. */
function hourly({ monotonic_ms }: Pick<Config, 'monotonic_ms'>, owner: CertificateOwner) {
  let read_at = Number.NEGATIVE_INFINITY;
  let expiry: number | undefined;
  return () => {
    if (monotonic_ms() - read_at >= READING_MS) {
      read_at = monotonic_ms();
      void readExpiry(owner).then(
        (instant) => {
          expiry = instant;
        },
        () => {
          expiry = undefined;
        },
      );
    }
    return expiry;
  };
}
