// Access tokens: signed, short-lived proofs of a session, as JWTs (RFC 7519) with HS256.
import { createSecretKey, hash, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import type { AccountId } from './account.js';
import type { SessionId } from './session.js';

const LIFETIME_SECONDS = 900;
const ALGORITHM = 'HS256';
const AUDIENCE = 'blazon';

export interface AccessClaims {
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
}

export interface IssuedToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

interface Options {
  /** Signing secrets. The first secret signs new tokens. Tokens signed with any of the secrets are accepted. */
  readonly secrets: readonly [string, ...string[]];
  /** Origin of PUBLIC_URL. Tokens contain this origin in the claim `iss`. */
  readonly issuer: string;
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

const claims = z.object({
  sub: z.string().transform((id) => id as AccountId),
  sid: z.string().transform((id) => id as SessionId),
  // `jwt.verify` accepts a token without an expiry. This schema therefore requires the expiry.
  exp: z.int(),
});

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens({ secrets, issuer, now }: Options) {
  // Converts each secret to a key object once. jsonwebtoken would parse a string again on each call, first as a public
  // key and then as a private key.
  const byKeyId = new Map(secrets.map((secret) => [keyId(secret), createSecretKey(secret, 'utf8')]));
  const signingId = keyId(secrets[0]);
  const signing = createSecretKey(secrets[0], 'utf8');
  const seconds = () => Math.floor(now() / 1000);

  return {
    /** Issues a token that expires after 900 s, or at `notAfter` if that is earlier. */
    issue({ accountId, sessionId }: AccessClaims, notAfter: Date): IssuedToken {
      const issuedAt = seconds();
      const expires = Math.min(issuedAt + LIFETIME_SECONDS, Math.floor(notAfter.getTime() / 1000));
      const payload = {
        iss: issuer,
        aud: AUDIENCE,
        sub: accountId,
        sid: sessionId,
        iat: issuedAt,
        exp: expires,
        jti: randomUUID(),
      };
      const token = jwt.sign(payload, signing, { algorithm: ALGORITHM, keyid: signingId });
      return { token, expiresInSeconds: expires - issuedAt };
    },

    /**
     * Returns the claims of a token. Returns undefined if the token is forged, malformed, expired, or issued by another
     * service. Does not check whether the session has ended.
     */
    verify(token: string): AccessClaims | undefined {
      try {
        const header = jwt.decode(token, { complete: true })?.header;
        const secret = byKeyId.get(header?.kid ?? '');
        // A token with critical extensions (`crit`) must be rejected, because this service supports none of them (RFC
        // 7515, section 4.1.11). jsonwebtoken does not check this.
        if (secret === undefined || header?.crit !== undefined) return undefined;
        const payload = claims.parse(
          jwt.verify(token, secret, { algorithms: [ALGORITHM], issuer, audience: AUDIENCE, clockTimestamp: seconds() }),
        );
        return { accountId: payload.sub, sessionId: payload.sid };
      } catch {
        return undefined;
      }
    },
  };
}

/** Returns a short id of a secret. The id does not reveal the secret. */
function keyId(secret: string): string {
  return hash('sha256', `key id ${secret}`).slice(0, 8);
}
