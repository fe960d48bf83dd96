"""Patterns of API keys and tokens of known providers. The accept path imports this module, so it imports nothing.

Each entry has the kind for the placeholder, the markers of which a text with such a key contains one, and a regular
expression. An expression begins at its marker or at a fixed form before it, and its quantifiers are possessive, so that
matching is linear.
"""

from __future__ import annotations

# From provider documentation and the rules of secret scanners.
KEY_PATTERNS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("api_key", ("sk-",), r"sk-[A-Za-z0-9_-]{12,}+"),
    ("api_key", ("AIza", "AQ."), r"AIza[A-Za-z0-9_-]{30,}+|AQ\.[A-Za-z0-9_-]{36,}+"),
    ("api_key", ("nvapi-", "pplx-", "tvly-"), r"(?:nvapi|pplx|tvly)-[A-Za-z0-9_-]{24,}+"),
    ("api_key", ("csk-", "jina_", "pcsk_", "tgp_v1_"), r"(?:csk-|jina_|pcsk_|tgp_v1_)[A-Za-z0-9_-]{32,}+"),
    ("langsmith_key", ("lsv2_",), r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    ("elevenlabs_key", ("sk_",), r"sk_[0-9a-f]{48}(?![0-9A-Za-z])"),
    ("aws_key", ("AKIA", "ASIA", "ABIA", "ACCA", "A3T"), r"A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("aws_key", ("ABSK", "bedrock-api-key-"), r"ABSK[A-Za-z0-9+/=]{100,}+|bedrock-api-key-[A-Za-z0-9+/=]{28,}+"),
    ("github_token", ("ghp_", "gho_", "ghs_", "ghu_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{16,}+"),
    ("github_token", ("ghs_", "ghu_"), r"gh[su]_[0-9]{1,12}_[A-Za-z0-9_.-]{30,}+"),
    ("github_token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{16,}+"),
    (
        "gitlab_token",
        tuple(
            f"gl{what}-"
            for what in ["pat", "dt", "rt", "rtr", "cbt", "ptt", "ft", "imt", "agent", "oas", "soat", "ffct", "wt"]
        ),
        r"gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[A-Za-z0-9_-]{16,}+(?:\.[A-Za-z0-9_-]{2,}+){0,2}",
    ),
    ("slack_token", ("xox",), r"xox(?:e\.xox)?[abceoprs]-[A-Za-z0-9-]{10,}+|xoxd-[A-Za-z0-9%/+_-]{20,}+={0,2}"),
    ("slack_token", ("xapp-", "xwfp-"), r"(?:xapp|xwfp)-[A-Za-z0-9-]{16,}+"),
    (
        "discord_token",
        ("MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"),
        r"[MNO][DTjz][A-Za-z0-9_-]{20,26}+\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}+",
    ),
    ("stripe_key", ("k_live_", "k_test_", "whsec_"), r"(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}+"),
    ("stripe_key", ("sk_org_",), r"sk_org_[A-Za-z0-9_]{20,}+"),
    ("npm_token", ("npm_",), r"npm_[A-Za-z0-9]{30,}+"),
    ("pypi_token", ("pypi-A",), r"pypi-A[A-Za-z0-9_-]{16,}+"),
    ("hugging_face_token", ("hf_", "api_org_"), r"(?:hf|api_org)_[A-Za-z0-9]{24,}+"),
    ("sendgrid_key", ("SG.",), r"SG\.[A-Za-z0-9_-]{16,}+\.[A-Za-z0-9_-]{16,}+"),
    ("twilio_key", ("SK", "AC"), r"(?:SK|AC)(?:[0-9a-f]{32}|[0-9A-F]{32})(?![0-9A-Za-z])"),
    ("telegram_token", (":AA",), r"[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}+"),
    ("google_token", ("ya29.", "GOCSPX-", "1//0"), r"(?:ya29\.|GOCSPX-|1//0)[A-Za-z0-9_-]{20,}+"),
    ("azure_key", ("Q~",), r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}+"),
    ("azure_key", ("AZDO",), r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])"),
    ("digitalocean_token", ("oo_v1_", "op_v1_", "or_v1_"), r"do[opr]_v1_[0-9a-f]{40,}+"),
    ("shopify_token", ("shpat_", "shpss_", "shpca_", "shppa_"), r"shp(?:at|ss|ca|pa)_[0-9a-fA-F]{24,}+"),
    ("groq_key", ("gsk_",), r"gsk_[A-Za-z0-9]{24,}+"),
    ("xai_key", ("xai-",), r"xai-[A-Za-z0-9]{24,}+"),
    ("databricks_token", ("dapi",), r"dapi[0-9a-f]{32}(?:-[0-9])?(?![0-9A-Za-z])"),
    ("age_key", ("AGE-SECRET-KEY-",), r"AGE-SECRET-KEY-1[A-Z0-9]{40,}+"),
    ("vault_token", ("hvs.", "hvb."), r"hv[sb]\.[A-Za-z0-9_-]{20,}+"),
    ("linear_key", ("lin_api_", "lin_oauth_"), r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}+"),
    ("notion_token", ("ntn_", "secret_"), r"ntn_[A-Za-z0-9]{40,}+|secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
    ("postman_key", ("PMAK-",), r"PMAK-[0-9a-f]{20,}+-[0-9a-f]{30,}+"),
    ("replicate_token", ("r8_",), r"r8_[A-Za-z0-9]{30,}+"),
    ("supabase_token", ("sbp_",), r"sbp_(?:v0_|oauth_)?[0-9a-f]{40}"),
    ("supabase_token", ("sb_secret_",), r"sb_secret_[A-Za-z0-9_-]{20,}+"),
    ("vercel_token", ("vcp_", "vci_", "vca_", "vcr_", "vck_"), r"vc[piark]_[A-Za-z0-9_-]{24,}+"),
    ("sentry_token", ("sntrys_", "sntryu_"), r"sntry[su]_[A-Za-z0-9+/=_-]{40,}+"),
    ("docker_token", ("dckr_",), r"dckr_[po]at_[A-Za-z0-9_-]{20,}+"),
    ("atlassian_token", ("ATATT3", "ATCTT3"), r"AT[AC]TT3[A-Za-z0-9_=-]{60,}+"),
    ("figma_token", ("figd_",), r"figd_[A-Za-z0-9_-]{30,}+"),
    ("netlify_token", ("nfp_",), r"nfp_[A-Za-z0-9]{30,}+"),
    ("fly_token", ("fm2_", "fo1_"), r"(?:fm2|fo1)_[A-Za-z0-9+/=_-]{40,}+"),
    ("grafana_token", ("glsa_", "glc_"), r"gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}+"),
    ("planetscale_token", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}+"),
    ("terraform_token", (".atlasv1.",), r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,}+"),
    ("resend_key", ("re_",), r"re_[A-Za-z0-9]{6,10}_[A-Za-z0-9]{20,}+"),
    ("brevo_key", ("xkeysib-",), r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("mailgun_key", ("key-",), r"key-[0-9a-f]{32}(?![0-9A-Za-z])"),
    ("rubygems_key", ("rubygems_",), r"rubygems_[0-9a-f]{48}"),
    ("mailchimp_key", tuple(f"-us{n}" for n in range(1, 10)), r"[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])"),
    ("square_token", ("sq0atp-", "sq0csp-"), r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}+"),
    ("square_token", ("EAAA",), r"EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9_-])"),
    ("new_relic_key", ("NRAK-", "NRII-", "NRIQ-"), r"NR(?:AK|II|IQ)-[A-Za-z0-9_-]{27,}+"),
    ("new_relic_key", ("NRRA-", "NRJS-"), r"NR(?:RA|JS)-[0-9a-f]{19,}+"),
    ("new_relic_key", ("NRAL",), r"[0-9a-z]{6}[0-9a-f]{30}NRAL(?![A-Za-z0-9])"),
    ("razorpay_key", ("rzp_",), r"rzp_(?:live|test)_[A-Za-z0-9]{14,}+"),
    ("tailscale_key", ("tskey-",), r"tskey-(?:[a-z]{2,10}-)?[A-Za-z0-9]{10,}+(?:-[A-Za-z0-9]{10,}+)?"),
    ("contentful_token", ("CFPAT-",), r"CFPAT-[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])"),
    ("alibaba_key", ("LTAI",), r"LTAI[A-Za-z0-9]{12,26}+(?![A-Za-z0-9])"),
    ("grafana_token", ("eyJrIjoi",), r"eyJrIjoi[A-Za-z0-9+/]{60,}+={0,2}"),
    ("jotsam_token", ("jot_",), r"jot_[0-9a-f]{12}_[A-Za-z0-9_-]{43}"),
    ("one_password_token", ("ops_eyJ",), r"ops_eyJ[A-Za-z0-9+/=_-]{100,}+"),
    ("crates_token", ("cio",), r"cio[A-Za-z0-9]{32}(?![A-Za-z0-9_-])"),
    # Forms that the rules of gitleaks (MIT License, Copyright 2019 Zachary Rice) have beyond those above.
    ("one_password_key", ("A3-",), r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"),
    ("adobe_secret", ("p8e-",), r"p8e-[A-Za-z0-9]{32}"),
    ("airtable_token", ("pat",), r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("artifactory_key", ("AKCp", "cmVmd"), r"(?:AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59})(?![A-Za-z0-9])"),
    ("clickhouse_key", ("4b1d",), r"4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])"),
    ("clojars_token", ("CLOJARS_",), r"CLOJARS_[A-Za-z0-9]{60}"),
    ("cloudflare_key", ("v1.0-",), r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    (
        "doppler_token",
        ("dp.",),
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}(?![A-Za-z0-9])",
    ),
    ("duffel_token", ("duffel_",), r"duffel_(?:test|live)_[A-Za-z0-9_=-]{43}"),
    ("dynatrace_token", ("dt0",), r"dt0[a-z][0-9]{2}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}"),
    ("easypost_key", ("EZAK", "EZTK"), r"EZ[AT]K[A-Za-z0-9]{54}"),
    ("facebook_token", ("EAAM", "EAAC"), r"EAA[MC][A-Za-z0-9]{100,}+"),
    ("flutterwave_key", ("FLWSECK",), r"FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}+(?:-X)?"),
    ("fly_token", ("fm1a_", "fm1r_"), r"fm1[ar]_[A-Za-z0-9+/]{100,}+={0,3}"),
    ("frameio_token", ("fio-u-",), r"fio-u-[A-Za-z0-9_=-]{64}"),
    ("gitlab_token", ("GR1348941",), r"GR1348941[A-Za-z0-9_-]{20}"),
    ("harness_key", ("pat.", "sat."), r"[ps]at\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    ("heroku_key", ("HRKU-AA",), r"HRKU-AA[A-Za-z0-9_-]{58}"),
    ("infracost_key", ("ico-",), r"ico-[A-Za-z0-9]{32}(?![A-Za-z0-9_-])"),
    ("intra42_secret", ("s-s4t2",), r"s-s4t2(?:ud|af)-[0-9a-f]{64}"),
    ("maxmind_key", ("_mmk",), r"[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9_])"),
    ("octopus_key", ("API-",), r"API-[A-Z0-9]{26}(?![A-Za-z0-9_-])"),
    ("openshift_token", ("sha256~",), r"sha256~[A-Za-z0-9_-]{43}"),
    ("prefect_key", ("pnu_",), r"pnu_[A-Za-z0-9]{36}"),
    ("pulumi_token", ("pul-",), r"pul-[0-9a-f]{40}"),
    ("readme_key", ("rdme_",), r"rdme_[a-z0-9]{70}"),
    ("scalingo_token", ("tk-us-",), r"tk-us-[A-Za-z0-9_-]{48}"),
    ("settlemint_token", ("sm_aat_", "sm_pat_", "sm_sat_"), r"sm_[aps]at_[A-Za-z0-9]{16}(?![A-Za-z0-9_])"),
    ("shippo_token", ("shippo_",), r"shippo_(?:live|test)_[0-9a-fA-F]{40}"),
    ("sourcegraph_token", ("sgp_",), r"sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}"),
    ("stripe_key", ("k_prod_",), r"[sr]k_prod_[A-Za-z0-9]{16,}+"),
    (
        "authress_key",
        (".acc_", ".acc-"),
        r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,}+",
    ),
    ("defined_key", ("dnkey-",), r"dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}"),
    ("dropbox_token", ("sl.",), r"sl\.[A-Za-z0-9=_-]{130,}+"),
    ("gitlab_cookie", ("_gitlab_session=",), r"_gitlab_session=[0-9a-z]{32}"),
    ("gocardless_token", ("live_",), r"live_[A-Za-z0-9_=-]{40}(?![A-Za-z0-9_=-])"),
    (
        "plaid_token",
        ("access-sandbox-", "access-development-", "access-production-"),
        r"access-[a-z]{7,11}-[0-9a-f-]{36}",
    ),
    ("yandex_key", ("AQVN",), r"AQVN[A-Za-z0-9_-]{35,38}(?![A-Za-z0-9_-])"),
    ("jwt", ("ZXlK",), r"ZXlK[A-Za-z0-9+/_-]{60,}+={0,2}"),
)
# Markers that are common in words: they count only if many letters and digits follow.
SHORT_MARKERS = frozenset(
    marker for _, markers, _ in KEY_PATTERNS for marker in markers if len(marker) == 2 and marker.isalnum()
)
# Markers that must begin a word, with the number of letters and digits that must follow at least.
PREFIX_MARKERS = {"sk-": 0, "sk_": 16, "key-": 16, "secret_": 16, "re_": 6}
PREFIX_MARKERS |= {
    "pat": 14,
    "cio": 32,
    "API-": 26,
    "ico-": 32,
    "4b1d": 38,
    "dp.": 0,
    "pat.": 0,
    "sat.": 0,
    "A3-": 6,
    "A3T": 17,
}
PREFIX_MARKERS |= {"live_": 20, "sl.": 20}
MARKERS = tuple(
    sorted({marker for _, markers, _ in KEY_PATTERNS for marker in markers} - SHORT_MARKERS - PREFIX_MARKERS.keys())
)
