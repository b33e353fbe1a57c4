# The service with its models, without a compiler and without root. Untried: see docs/how-to/install.md.
FROM python:3.12-slim AS build
# Without GCC, pip would fetch Zig, which takes longer to compile.
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY pyproject.toml setup.py README.md LICENSE NOTICE ./
COPY src ./src
RUN python -m venv /opt/phrasemill \
    && /opt/phrasemill/bin/pip install --no-cache-dir '.[html,neural,parquet,pdf,rtf,serve]' \
    && /opt/phrasemill/bin/phrasemill doctor

FROM python:3.12-slim
COPY --from=build /opt/phrasemill /opt/phrasemill
RUN useradd --system --create-home --uid 10001 phrasemill
USER phrasemill
WORKDIR /home/phrasemill
ENV PATH=/opt/phrasemill/bin:$PATH PYTHONUNBUFFERED=1
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
ENTRYPOINT ["phrasemill"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--no-open"]
