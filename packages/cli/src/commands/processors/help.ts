import { STAND_INS_HELP } from './stand-ins.ts';

/** How a person calls the command. */
export const PROCESSORS_CLI = 'npm run florin -- processors';

export const PROCESSORS_USAGE = [
  `       ${PROCESSORS_CLI} list | show | add | try | change | check | enable | pause | remove | route | reports |`,
  '           disputes | close-dispute | faults | try-dispute | settle',
  '           connects accounts at payment processors, and decides which payments they take',
].join('\n');

export const PROCESSORS_HELP = `Usage:
       ${PROCESSORS_CLI} list [--mode MODE] [--removed]
       ${PROCESSORS_CLI} list --kinds
           accounts; processors with the fields of their accounts
       ${PROCESSORS_CLI} show ACCOUNT [--mode MODE]
           an account, what still needs it, and its refused notifications
       ${PROCESSORS_CLI} add PROCESSOR --mode MODE --name NAME [--merchant ID] FIELDS
       ${PROCESSORS_CLI} try PROCESSOR [--name NAME]
           adds and enables a sandbox account at the simulated card network's stand-in of the processor
       ${PROCESSORS_CLI} try --renew ACCOUNT
           gives such an account new random keys, in Florin and at the stand-in
       ${PROCESSORS_CLI} change ACCOUNT [--mode MODE] [--name NAME] FIELDS
       ${PROCESSORS_CLI} check | enable | pause | remove ACCOUNT [--mode MODE]
           check   asks the processor whether it accepts the credentials
           enable  checks, then lets the account take payments
           pause   stops new payments; captures, refunds and open payments continue
           remove  removes an account without open payments, and its secrets; --give-up-refunds also removes one
                   whose payments are refundable or disputed: refunds are then refused, and you close its disputes
       ${PROCESSORS_CLI} route --mode MODE
           prints the rules that give payments to accounts
       ${PROCESSORS_CLI} route --mode MODE --file FILE
           replaces all rules of the mode
       ${PROCESSORS_CLI} route --mode MODE --preview currency=EUR amount=1000 …
           tells which account takes a payment; other facts: merchant_id, network, issuer_country, wallet, initiator,
           network_token=true
       ${PROCESSORS_CLI} reports [ACCOUNT] [--mode MODE]
           settlement reports with their lines; --show ID adds sums, and rows that the ledger does not explain
       ${PROCESSORS_CLI} reports --show ID --acknowledge ROW --reason TEXT
           ends the count of a row that no payment explains; the sums stay
       ${PROCESSORS_CLI} reports ACCOUNT --file FILE
           imports a settlement report that you downloaded
       ${PROCESSORS_CLI} reports ACCOUNT --retry
           downloads and reads refused and failing reports again
       ${PROCESSORS_CLI} disputes [ACCOUNT] [--mode MODE]
           open disputes whose account is removed or silent
       ${PROCESSORS_CLI} close-dispute ID --outcome OUTCOME --reason TEXT
           closes such a dispute as won, lost or accepted, as its processor shows it; an accepted dispute is lost

${STAND_INS_HELP}

--dry-run changes nothing, and checks no new secrets: with add, change, check, enable, pause, remove, route, close-dispute
and the changes of reports.
MODE is live or sandbox. ACCOUNT is an id or a name; a name of both modes needs --mode.
FIELDS:
  --set FIELD=VALUE        a setting; an empty value removes it
  --secret FIELD=FILE      a file that holds the secret; an empty FILE removes it
  --currencies EUR,USD     the only currencies of the account; an empty list allows all
  --networks visa,amex     the only card networks of the account; an empty list allows all
  --descriptor TEXT        text on payers' statements; an empty text means the processor's default

FILE is the path of a file, or - for standard input. A secret is no argument: other users could read it in the list of
processes. Florin may be running. Its vault must run for add, try, change, check, enable and remove: only the vault stores secrets.`;
