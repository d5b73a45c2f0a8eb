// Access tokens: signed, short-lived proofs of a session, as JWT (RFC 7519), HS256 and nothing else.
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
  /** Until it expires. */
  readonly expiresInSeconds: number;
}

interface Options {
  /** The first signs, all verify. */
  readonly secrets: readonly [string, ...string[]];
  /** PUBLIC_URL's origin. */
  readonly issuer: string;
  /** ms since the epoch */
  readonly now: () => number;
}

const claims = z.object({
  sub: z.string().transform((id) => id as AccountId),
  sid: z.string().transform((id) => id as SessionId),
  // `verify` checks it where there is one.
  exp: z.int(),
});

export type AccessTokens = ReturnType<typeof createAccessTokens>;

export function createAccessTokens({ secrets, issuer, now }: Options) {
  // jsonwebtoken tries to read a string as a public and a private key first, each time.
  const byKeyId = new Map(secrets.map((secret) => [keyId(secret), createSecretKey(secret, 'utf8')]));
  const signingId = keyId(secrets[0]);
  const signing = createSecretKey(secrets[0], 'utf8');
  const seconds = () => Math.floor(now() / 1000);

  return {
    /** Valid for at most 900 s, and not beyond `notAfter`. */
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
     * Undefined for a forged, malformed or expired token, or one of another service. Does not check whether the session is
     * live.
     */
    verify(token: string): AccessClaims | undefined {
      try {
        const header = jwt.decode(token, { complete: true })?.header;
        const secret = byKeyId.get(header?.kid ?? '');
        // jsonwebtoken ignores extensions that must be understood (RFC 7515, section 4.1.11); none is here.
        if (secret === undefined || header?.crit !== undefined) return undefined;
        const payload = claims.parse(
          jwt.verify(token, secret, { algorithms: [ALGORITHM], issuer, audience: AUDIENCE, clockTimestamp: seconds() }),
        );
        return { accountId: payload.sub, sessionId: payload.sid };
      } catch {
        // The reason is not revealed.
        return undefined;
      }
    },
  };
}

/** Identifies a secret without revealing it. */
function keyId(secret: string): string {
  return hash('sha256', `key id ${secret}`).slice(0, 8);
}
