/** A key and a certificate for `localhost` that nobody signed but itself, made anew for every run. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export function makeCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"));
  const name = sequence(tagged(0x31, sequence(identifier("550403"), tagged(0x0c, Buffer.from("localhost")))));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const validity = sequence(time(Date.now() - 86_400_000), time(Date.now() + 86_400_000));
  const keyId = createHash("sha1").update(spki).digest();
  const altNames = sequence(tagged(0x82, Buffer.from("localhost")));
  const extensions = sequence(
    sequence(identifier("551d11"), tagged(0x04, altNames)),
    sequence(identifier("551d0e"), tagged(0x04, tagged(0x04, keyId))),
    // An authority for itself: the client that trusts it accepts what it signed.
    sequence(identifier("551d13"), tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff]))))),
  );
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    spki,
    tagged(0xa3, extensions),
  );
  const signature = sign("sha256", content, privateKey);
  const der = sequence(content, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** DER: a tag, the length, the content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(contents));
}

function identifier(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/[-:T]/g, "").slice(0, 14);
  return tagged(0x18, Buffer.from(`${digits}Z`));
}
