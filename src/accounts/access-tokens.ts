// Access tokens: signed, short-lived proofs of a session. They are JWTs (RFC 7519) and use only HS256.
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
  /** Seconds until the token expires. */
  readonly expiresInSeconds: number;
}

interface Options {
  /** Secrets: the first one signs, all of them verify. */
  readonly secrets: readonly [string, ...string[]];
  /** Origin of PUBLIC_URL. */
  readonly issuer: string;
  /** Time in ms since the epoch. */
  readonly now: () => number;
}

const claims = z.object({
  sub: z.string().transform((id) => id as AccountId),
  sid: z.string().transform((id) => id as SessionId),
  // If present, `verify` checks it.
  exp: z.int(),
});

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens({ secrets, issuer, now }: Options) {
  // Given a string, jsonwebtoken would try to parse it as a public and a private key each time.
  const byKeyId = new Map(secrets.map((secret) => [keyId(secret), createSecretKey(secret, 'utf8')]));
  const signingId = keyId(secrets[0]);
  const signing = createSecretKey(secrets[0], 'utf8');
  const seconds = () => Math.floor(now() / 1000);

  return {
    /** Issues a token that is valid for at most 900 s, and not beyond `notAfter`. */
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
     * Returns the claims of a token. Returns undefined for a forged, malformed or expired token, and for a token of
     * another service. Does not check whether the session is live.
     */
    verify(token: string): AccessClaims | undefined {
      try {
        const header = jwt.decode(token, { complete: true })?.header;
        const secret = byKeyId.get(header?.kid ?? '');
        // jsonwebtoken ignores critical extensions, which must be understood (RFC 7515, section 4.1.11). This service
        // understands none.
        if (secret === undefined || header?.crit !== undefined) return undefined;
        const payload = claims.parse(
          jwt.verify(token, secret, { algorithms: [ALGORITHM], issuer, audience: AUDIENCE, clockTimestamp: seconds() }),
        );
        return { accountId: payload.sub, sessionId: payload.sid };
      } catch {
        // The reason is not revealed to the client.
        return undefined;
      }
    },
  };
}

/** Identifies a secret without revealing it. */
function keyId(secret: string): string {
  return hash('sha256', `key id ${secret}`).slice(0, 8);
}
