import { hash, verify } from "@node-rs/argon2";

/** argon2id with the strength OWASP names; the algorithm is the library's default. */
const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The stored form of a password: a PHC string with salt and strength in it. */
export const hashPassword = (password: string): Promise<string> => hash(password, STRENGTH);

/** Whether a password fits a stored form. */
export const isPasswordOf = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);
